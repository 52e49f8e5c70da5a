"""The public interface as plain data: names, signatures, spaces, rules and games.

`tests/golden/compatibility` has the reference data, `tests/test_compatibility.py`
compares it with the current state.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
import pathlib
import types
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

import gymnasium
import numpy as np

import crafter
import crafter.tasks
from crafter.games import craftax
from crafter.tasks import Task
from crafter.tasks.scenes import draw

FOLDER = pathlib.Path(__file__).parents[1] / "golden/compatibility"
GAMES = json.loads((FOLDER / "games.json").read_text("utf-8"))
#: Actions of recorded Crafter games, a row for each of `SEEDS`.
ACTIONS = np.load(FOLDER / "actions.npz")["crafter"]
SEEDS = (1, 2, 3)

#: Changed rules, by game, with one digest stored for each.
RULES: dict[str, dict[str, Any]] = {
    "crafter": {
        "default": None,
        "recipe": {"make": {"wood_sword": {"uses": {"wood": 3}}}},
        "damage": {"damage": {"iron_sword": 6}},
        "creatures": {"creatures": {"zombie": {"health": 7}}},
        "day": {"time": {"day": 200}},
        "item": {
            "items": {"rope": {"max": 9, "initial": 0}},
            "make": {"rope": {"uses": {"wood": 1}, "nearby": ["table"], "gives": 1}},
        },
        "fewer": {"make": {"iron_sword": None}},
        "ores": {"terrain": {"ores": {2: {"draw_above": 0.9}}}},
    },
    "craftax": {
        "published": "published",
        "repaired": "repaired",
        "view": {"view": {"cells": [7, 9]}},
        "parameters": {"parameters": {"day_length": 200}},
    },
}

_STRIDE = 50


# --- Names ----------------------------------------------------------------------------


def parameters(module: types.ModuleType, path: str) -> list[str] | None:
    """Returns the parameters of a public name, or of a method of a class.

    Names that are not callable have none; neither have classes without a signature. A
    missing name has `None`.
    """
    value = module
    for name in path.split("."):
        if not hasattr(value, name):
            return None
        value = getattr(value, name)
    if not callable(value):
        return []
    try:
        return [_parameter(one) for one in inspect.signature(value).parameters.values()]
    except ValueError:  # classes implemented in C, such as exceptions
        return []


def _parameter(parameter: inspect.Parameter) -> str:
    prefix = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**", "KEYWORD_ONLY": "keyword "}
    text = prefix.get(parameter.kind.name, "") + parameter.name
    if parameter.default is inspect.Parameter.empty:
        return text
    shown = repr(parameter.default)
    return f"{text}={'...' if ' at 0x' in shown or len(shown) > 60 else shown}"


# --- Facts ----------------------------------------------------------------------------


def ids() -> dict[str, Any]:
    """Returns the registered environments with their fixed arguments."""
    return {
        name: dict(spec.kwargs)
        for name, spec in sorted(gymnasium.registry.items())
        if name.startswith("Craft")
    }


def spaces() -> dict[str, Any]:
    """Returns the observation spaces, by game and kind."""
    return {
        f"{game} {kind}": _space(make(game, kind).observation_space)
        for game in ("crafter", "craftax")
        for kind in ("pixels", "compact", "symbolic", "semantic")
    }


def _space(space: Any) -> Any:
    if isinstance(space, gymnasium.spaces.Dict):
        return {name: _space(part) for name, part in sorted(space.spaces.items())}
    ends = [round(float(end), 6) for end in (space.low.min(), space.high.max())]
    return [list(space.shape), str(space.dtype), *ends]


def make(game: str, observation: str | None = None, **arguments: Any) -> Any:
    """Returns an environment of a game."""
    cls = {"crafter": crafter.Env, "craftax": craftax.Env}[game]
    return cls(**({"observation": observation} if observation else {}), **arguments)


def facts(game: str) -> dict[str, Any]:
    """Returns the names of actions, achievements and info entries, and types."""
    env = make(game, seed=0, events=True)
    _, info = env.reset()
    after = env.step(0)[-1]
    return {
        "actions": list(env.action_names),
        "achievements": list(info["achievements"]),
        "inventory": list(info["inventory"]),
        "info of reset": sorted(info),
        "info of step": sorted(after),
        "info types": {name: str(type(value)) for name, value in sorted(after.items())},
        "state": {n: value.dtype.kind for n, value in sorted(env.get_state().items())},
        "snapshot": sorted(vars(type(env.snapshot()))["__annotations__"]),
    }


def types_of_objects() -> dict[str, str]:
    """Returns the type names of objects, with which other programs compare."""
    env = crafter.Env(seed=0)
    env.reset()
    assert env.world is not None
    objects = {"player": env.player} | {obj.kind: obj for obj in env.world.objects}
    return {name: str(type(value)) for name, value in objects.items()}


def rules_digests() -> dict[str, str]:
    """Returns the rules digests that saved games store, by game and rules name."""
    digests = {}
    for game, sets in RULES.items():
        for name, rules in sets.items():
            env = make(game, rules=rules, seed=0)
            env.reset()
            state = env.get_state()
            key = "rules" if "rules" in state else "config_rules"
            digests[f"{game} {name}"] = str(state[key])
    return digests


def scenes() -> dict[str, str]:
    """Returns the hashes of task scenes, by task, level and split."""
    names = sorted(crafter.tasks.all_tasks())[::12]
    keys = [(n, level) for n in names for level in ("simple", "medium", "hard")]
    return {f"{n} {level}": draw(Task(n, level), "train", 0).hash for n, level in keys}


# --- Games ----------------------------------------------------------------------------


def update(digest: Any, value: Any) -> None:
    """Adds a value of any type to a checksum; floats are rounded."""
    if isinstance(value, Mapping) and not any(map(_nested, value.values())):
        rows = (f"{key}:{_scalar(value[key])};" for key in sorted(value))
        digest.update("".join(rows).encode())
    elif isinstance(value, Mapping):
        for key in sorted(value):
            digest.update(f"{key}:".encode())
            update(digest, value[key])
    elif dataclasses.is_dataclass(value):
        update(digest, {f.name: getattr(value, f.name) for f in fields(value)})
    elif isinstance(value, (set, frozenset)):
        update(digest, sorted(value))
    elif isinstance(value, (list, tuple)):
        for item in value:
            update(digest, item)
    elif isinstance(value, np.ndarray):
        digest.update(_bytes(value))
    else:
        digest.update(f"{_scalar(value)};".encode())


def _nested(value: Any) -> bool:
    return not isinstance(value, (bool, int, float, str, np.generic))


def _scalar(value: Any) -> str:
    if isinstance(value, (bool, int, np.bool_, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return f"{round(float(value), 4) + 0.0:.4f}"
    return str(value)


def _bytes(array: np.ndarray) -> bytes:
    if array.dtype.kind == "f":
        array = np.round(array.astype(np.float64), 4) + 0.0
    elif array.dtype.kind in "biu":
        array = array.astype(np.int64)
    return f"{array.shape}".encode() + np.ascontiguousarray(array).tobytes()


class Checksums:
    """Running checksums of a game, every 50 steps, to locate a difference."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._steps = 0
        self.checksums: list[str] = []

    def add(self, *values: Any) -> None:
        """Adds the results of a reset or a step."""
        update(self._digest, values)
        if self._steps % _STRIDE == 0:
            self.checksums.append(self._digest.hexdigest()[:8])
        self._steps += 1

    def done(self) -> list[str]:
        """Returns all checksums; the last one is that of the whole game."""
        return [*self.checksums, self._digest.hexdigest()]


def play(env: Any, actions: Iterable[int], first: Iterable[Any] = ()) -> list[str]:
    """Plays actions from the current state and returns the checksums.

    Args:
      env: Environment, after a reset.
      actions: The actions; stops early if the game ends.
      first: The results of the reset.
    """
    sums = Checksums()
    sums.add(*first)
    for action in actions:
        observation, reward, dead, late, info = env.step(int(action))
        sums.add(observation, reward, dead, late, info)
        if dead or late:
            break
    return sums.done()


def play_batch(envs: Any, actions: np.ndarray, reset: Any) -> list[list[str]]:
    """Returns the checksums of all games of a batch, as of `play`.

    Args:
      envs: Batch with `info_keys="all"`.
      actions: Actions, int array (games, steps); no game ends earlier.
      reset: The results of the reset.
    """
    sums = [Checksums() for _ in range(envs.num_envs)]
    _add_rows(sums, *reset)
    for step in actions.T:
        _add_rows(sums, *envs.step(step.astype(np.int64)))
    return [one.done() for one in sums]


def _add_rows(sums: list[Checksums], *results: Any) -> None:
    *arrays, infos = results
    for number, one in enumerate(sums):
        info = {k: _row(v, number) for k, v in infos.items() if k[0] != "_"}
        one.add(*(_row(array, number) for array in arrays), {**info, "events": ()})


def _row(values: Any, number: int) -> Any:
    if isinstance(values, dict):
        return {k: _row(v, number) for k, v in values.items() if k[0] != "_"}
    return values[number]


#: Batch size in JAX.
JAX_GAMES = 12


def jax_keys(number: int) -> Any:
    """Returns a key for each game, for the reset (0) or a step."""
    import jax

    return jax.random.split(jax.random.fold_in(jax.random.key(0), number), JAX_GAMES)


def play_jax(reset: Any, step: Any, params: Any, actions: np.ndarray) -> list[str]:
    """Returns the checksums of all games of a batch.

    Args:
      reset: Batched reset of `JAX_GAMES` games.
      step: Batched step.
      params: Parameters of the environment.
      actions: Actions, int array (games, steps).
    """
    sums = Checksums()
    observation, states = reset(jax_keys(0), params)
    sums.add(np.asarray(observation))
    for number, chosen in enumerate(actions.T.astype(np.int64), 1):
        results = step(jax_keys(number), states, chosen, params)
        observation, states, reward, done, info = results
        arrays = (np.asarray(part) for part in (observation, reward, done))
        sums.add(
            *arrays,
            {name: np.asarray(v) for name, v in info.items() if name != "counts"},
        )
    return sums.done()


def saved(name: str) -> dict[str, np.ndarray]:
    """Returns a saved game as arrays."""
    with np.load(FOLDER / f"save-{name}.npz", allow_pickle=False) as file:
        return dict(file)
