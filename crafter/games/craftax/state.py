"""Save and resume: the whole game state as a flat dict of arrays.

The state holds plain NumPy arrays only: save it with `np.savez(path, **state)`, load it
with `dict(np.load(path))`. Fields of the published game keep their names; the others
hold the rules and parameters, the counters and the state of the random generator. An
environment with other rules or parameters rejects it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from crafter.core import state_io
from crafter.core.state_io import Field
from crafter.core.state_io import StateError as StateError  # re-exported
from crafter.core.validation import raising
from crafter.games.craftax import fields
from crafter.games.craftax.engine import World
from crafter.games.craftax.parameters import Parameters
from crafter.games.craftax.player import Player
from crafter.games.craftax.tables import Tables

#: Increased when the fields of a state, or their meaning, change.
VERSION = 1

#: Fields that the published game does not have.
_OWN = {
    **state_io.listed(fields.LISTED["own"]),
    **{
        f"config_{field.name}": Field("bools" if field.type is bool else "integers")
        for field in dataclasses.fields(Parameters)
    },
}


_STREAM = ("random_words", "random_buffer")


@dataclasses.dataclass
class Moment:
    """State of an environment besides the world.

    Attributes:
      seed: Seed of the sequence of episodes.
      episode: Number of the episode, from 1.
      start: Timestep at which the episode began.
      ended: Whether the episode was terminated or truncated.
      rng: The random generator of the game.
    """

    seed: int
    episode: int
    start: int
    ended: bool
    rng: np.random.Generator
    noise: ClassVar[None] = None  # the dark draws no random numbers


def capture(moment: Moment, world: World, player: Player) -> dict[str, np.ndarray]:
    """Returns the state of a game.

    Args:
      moment: The counters of the environment.
      world: The world.
      player: The player in it.

    Returns:
      Name -> array: the fields of `fields.capture`, and
        version: int64 scalar.
        rules: str, the digest of the rules.
        config_*: the fields of `Parameters`, int64 or bool.
        seed: str of the integer.
        episode, start: int64 scalars; ended: bool.
        action: int64 scalar, index of the latest action.
        random_words: uint64 (4,), state and increment of the generator.
        random_buffer: int64 (2,), whether half a word is buffered, and its value.
    """
    state: dict[str, Any] = {
        "seed": str(moment.seed),
        "episode": moment.episode,
        "start": moment.start,
        "ended": moment.ended,
        "action": world.tables.action_names.index(player.action),
        **_capture_stream(moment.rng),
        **fields.capture(world, player),
    }
    return assemble(state, world.tables, world.parameters)


def assemble(
    values: Mapping[str, Any], tables: Tables, parameters: Parameters
) -> dict[str, np.ndarray]:
    """Builds a state from copies of its fields.

    Args:
      values: All fields but `version`, `rules` and `config_*`.
      tables: The rules.
      parameters: The arguments of the environment.
    """
    state: dict[str, Any] = {"version": VERSION, "rules": tables.digest}
    for name, value in dataclasses.asdict(parameters).items():
        state[f"config_{name}"] = value
    for name in ("seed", "episode", "start", "ended", "action", *_STREAM):
        state[name] = values[name]
    state |= fields.typed(tables, values)
    return {name: np.array(value) for name, value in state.items()}


def _capture_stream(rng: np.random.Generator) -> dict[str, Any]:
    stream: dict[str, Any] = dict(rng.bit_generator.state)
    words = b"".join(n.to_bytes(16, "big") for n in stream["state"].values())
    return {
        "random_words": np.frombuffer(words, ">u8").astype(np.uint64),
        "random_buffer": np.array([stream["has_uint32"], stream["uinteger"]]),
    }


def restore(
    value: Mapping[str, Any], tables: Tables, parameters: Parameters
) -> tuple[Moment, World, Player]:
    """Builds a game from a state.

    Args:
      value: Result of `capture`, possibly saved and loaded.
      tables: The rules of the environment that resumes it.
      parameters: Its parameters.

    Raises:
      StateError: If the state comes from another version, rules or parameters, lacks a
        field or holds invalid values; the message names the field.
    """
    names = (*_OWN, *fields.layout(tables, parameters))
    state = state_io.read_fields(value, VERSION, names)
    config = {"rules": tables.digest, **dataclasses.asdict(parameters)}
    state_io.check_equal({"config_rules": state["rules"], **state}, config)
    with raising(StateError, state_io.DAMAGED):
        check_fields(state, tables, parameters)
        moment = Moment(
            seed=int(str(state["seed"])),
            episode=int(state["episode"]),
            start=int(state["start"]),
            ended=bool(state["ended"]),
            rng=_restore_stream(state),
        )
        world, player = fields.restore(state, tables, parameters)
        player.action = tables.action_names[int(state["action"])]
        return moment, world, player


def check_fields(
    state: Mapping[str, np.ndarray], tables: Tables, parameters: Parameters
) -> None:
    """Validates fields and their invariants, before a world is built.

    Args:
      state: Field -> array, all fields.
      tables: The rules.
      parameters: The arguments of the environment.

    Raises:
      ValueError: If a field is invalid; the message names it.
    """
    limits = fields.limits(tables, parameters)
    limits |= {"action": len(tables.actions) - 1, "timestep": state["timestep"]}
    layout = {**fields.layout(tables, parameters), **_OWN}
    state_io.check_fields(state, layout, limits)
    int(str(state["seed"]))  # raises if it is not an integer
    if not state["random_words"][3] % 2:
        raise ValueError("random_words must end with an odd word")
    mapping = sorted(state["potion_mapping"].tolist())
    if mapping != list(range(len(mapping))):
        raise ValueError(f"potion_mapping must be a permutation, got {mapping}")
    _check_mobs(state, parameters.map_size, "ghosts" in tables.applied)


def _check_mobs(state: Mapping[str, np.ndarray], size: int, ghosts: bool) -> None:
    """Validates creatures, projectiles, and the map of cells with creatures.

    Args:
      state: Field -> array.
      size: Rows and columns of a map.
      ghosts: Whether marks may be missing because of dead creatures.
    """
    expected = np.zeros_like(state["mob_map"])
    for field, kind in fields.MOBS.items():
        flies = kind.endswith("projectiles")
        alive, cells = state[f"{field}.mask"], state[f"{field}.position"]
        # Dead creatures stay on the map, dead projectiles keep flying.
        placed = cells[alive] if flies else cells
        if not ((placed >= 0) & (placed < size)).all():
            raise ValueError(f"{field}.position must lie on the map")
        if not flies:
            if not (state[f"{field}.health"][alive] > 0).all():
                raise ValueError(f"{field}.health must be above 0 for living creatures")
            expected[alive.nonzero()[0], cells[alive][:, 0], cells[alive][:, 1]] = True
    marks = state["mob_map"]
    wrong = np.argwhere(marks & ~expected if ghosts else marks != expected)
    if len(wrong):
        raise ValueError(
            "mob_map must mark the cells of living creatures, but differs at (floor, "
            f"row, column) {wrong[0].tolist()}"
        )


def _restore_stream(state: dict[str, np.ndarray]) -> np.random.Generator:
    words = state["random_words"].astype(">u8").tobytes()
    has, half = state["random_buffer"].tolist()
    position, increment = (int.from_bytes(words[i:][:16], "big") for i in (0, 16))
    generator = np.random.PCG64(0)
    generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": position, "inc": increment},
        "has_uint32": has,
        "uinteger": half,
    }
    return np.random.Generator(generator)
