"""Transitions and worlds recorded from the published package.

A file of steps stores whole worlds once, and for each transition only the cells in
which the state before differs from its world, and the state after from the one before.
"""

import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).parents[1] / "golden" / "craftax"
#: File -> number of its transitions.
NUMBERS = {
    "boss": 191,
    "events": 1405,
    "floors": 652,
    "random": 1250,
    "requirements": 284,
    "reset": 745,
}
STEPS = tuple(NUMBERS)
#: Floats agree up to rounding; the published game computes in single precision.
REWARD_TOLERANCE = 1e-4
_TOLERANCE, _LIGHT_TOLERANCE = 2e-5, 5e-4

_LAYERS = ("map", "item_map", "mob_map", "light_map")


def load(name):
    """Returns the arrays of a file."""
    with np.load(FOLDER / f"{name}.npz") as file:
        return {key: file[key] for key in file.files}


def unequal(name, expected, got):
    """Returns where a field differs by more than rounding, bool array of its shape."""
    assert expected.shape == got.shape, (name, expected.shape, got.shape)
    if expected.dtype.kind != "f":
        return expected != got
    tolerance = _LIGHT_TOLERANCE if name == "light_level" else _TOLERANCE
    error = np.abs(expected.astype(float) - got)
    return error > tolerance * np.maximum(1, np.abs(expected))


def differing(expected, got):
    """Returns the fields in which two states differ."""
    assert expected.keys() == got.keys()
    return [n for n in expected if unequal(n, expected[n], got[n]).any()]


class Steps:
    """The recorded transitions of a file.

    Args:
      name: One of `STEPS`.
    """

    def __init__(self, name):
        self.data = load(f"steps-{name}")
        self._ends = {
            when: np.cumsum(self.data[f"{when}_cell_count"])
            for when in ("before", "after")
        }

    def __len__(self):
        return len(self.data["action"])

    def before(self, number):
        """Returns the state before a transition, field -> array."""
        world = self.data["world_index"][number]
        maps = {
            name: self.data[f"world_{name}"][world].copy()
            for name in _LAYERS
            if name != "mob_map"
        }
        maps["mob_map"] = np.zeros(maps["map"].shape, bool)
        self._change(maps, "before", number)
        return maps | self._fields("before.", number)

    def after(self, number):
        """Returns the state after a transition, field -> array."""
        maps = {name: self.before(number)[name] for name in _LAYERS}
        self._change(maps, "after", number)
        return maps | self._fields("after.", number)

    def draws(self, number):
        """Returns the draws of a transition, name -> value."""
        return self._fields("draw.", number)

    def observations(self):
        """Yields transition indices and the symbolic observations after them."""
        yield from zip(self.data["obs_index"].tolist(), self.data["obs"])

    def _fields(self, prefix, number):
        return {
            key.removeprefix(prefix): values[number]
            for key, values in self.data.items()
            if key.startswith(prefix)
        }

    def _change(self, maps, when, number):
        end = self._ends[when][number]
        part = slice(end - self.data[f"{when}_cell_count"][number], end)
        layers, cells, values = (
            self.data[f"{when}_cell_{name}"][part]
            for name in ("layer", "index", "value")
        )
        for layer, name in enumerate(_LAYERS):
            own = layers == layer
            maps[name].flat[cells[own]] = values[own]


def wrong_steps(step, steps, every):
    """Returns the transitions with wrong results: (index, tag) -> fields.

    Args:
      step: Plays a transition, as `crafter.games.craftax.parity.step` does.
      steps: The recorded transitions, `Steps`.
      every: Stride; only every so many transitions are played.
    """
    differences = {}
    for number in range(0, len(steps), every):
        action = int(steps.data["action"][number])
        got, reward, done = step(steps.before(number), action, steps.draws(number))
        fields = differing(steps.after(number), got)
        if abs(reward - steps.data["reward"][number]) > REWARD_TOLERANCE:
            fields.append("reward")
        if done != steps.data["done"][number]:
            fields.append("done")
        if fields:
            differences[number, str(steps.data["tag"][number])] = fields
    return differences
