"""Evaluation protocols: seeds, limits, interface and score of a run."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from crafter.core.ruleset import thaw
from crafter.core.validation import raising
from crafter.lm import game as games
from crafter.lm.play.aci import CrafterACI
from crafter.lm.rendering.words import load
from crafter.lm.runs.scores import SUCCESS
from crafter.tasks.episodes import suites
from crafter.tasks.episodes.play import EpisodeSpec

PRESETS: dict[str, dict[str, Any]] = load("protocols")
#: Interface settings that no protocol may use, since they help the agent.
FORBIDDEN = ("allow_undo", "privileged")
#: Steps of a task's budget per call.
CALL_STEPS = 4


@dataclasses.dataclass(frozen=True)
class Protocol:
    """Evaluation protocol: seeds, limits, interface and score of a run.

    Attributes:
      name: Name of the preset; `NAME*` if anything was changed.
      seeds: Seed of each rollout.
      score: Main score, a name of `crafter.lm.runs.scores.FORMULAS`, or `craftax`.
      rules: Level of the rules text.
      hide: What the rules text withholds.
      picture_only: Whether agents get pictures without observations in text.
      interface: Arguments of `CrafterACI`.
      tables: The rules of the game; the published ones by default.
      game: Name of the game.
      suite: Name of the task suite, or empty. With a suite, seeds are the numbers of
        its attempts, and without `max_calls` there is one call per `CALL_STEPS` steps
        of the budget.
    """

    name: str
    seeds: tuple[int, ...]
    score: str
    rules: str
    interface: dict[str, Any]
    hide: tuple[str, ...] = ()
    picture_only: bool = False
    tables: Any = None
    game: str = games.DEFAULT
    suite: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", games.find(self.game).load(self.tables))

    def make_interface(self, seed: int) -> CrafterACI:
        """Returns the interface of a rollout.

        Raises:
          ValueError: If the suite has no such attempt.
        """
        settings = {"game": self.game, "seed": seed, "rules": self.tables}
        if self.suite:
            entry = _entry(self.suite, seed)
            game = games.find(self.game)
            budget = game.task(entry.task, entry.level, self.tables).budget
            settings |= {"task": entry.task, "difficulty": entry.level}
            settings |= {"split": suites.SPLIT, "scene": entry.index}
            settings |= {"max_calls": math.ceil(budget / CALL_STEPS)}
        return CrafterACI(**{**settings, **self.interface})

    def as_dict(self) -> dict[str, Any]:
        """Returns the complete definition as JSON data."""
        fields = dict(vars(self))
        fields |= {name: list(fields[name]) for name in _LISTS}
        usual: dict[str, Any] = {"game": games.DEFAULT, "suite": "", "tables": None}
        if self.tables.digest == games.find(self.game).load(None).digest:
            fields["tables"] = None
        else:  # as text, since some keys are numbers, which JSON lacks
            fields["tables"] = yaml.safe_dump(thaw(self.tables.data), sort_keys=False)
        return {n: v for n, v in fields.items() if n not in usual or v != usual[n]}


_LISTS = ("seeds", "hide")


def protocol(
    name: str,
    *,
    rollouts: int | None = None,
    seeds: Sequence[int] | None = None,
    interface: Mapping[str, Any] | None = None,
    tables: Any = None,
) -> Protocol:
    """Returns a preset, optionally changed.

    Args:
      name: A name of `PRESETS`.
      rollouts: Number of rollouts.
      seeds: Seed of each rollout, which overrides `rollouts`; with a suite, the numbers
        of attempts.
      interface: Changes of the interface.
      tables: Other rules, as the argument `rules` of the environment.

    Raises:
      ValueError: If the name is unknown or a change is invalid.
    """
    if name not in PRESETS:
        raise ValueError(f"Unknown protocol {name!r}; valid: {list(PRESETS)}.")
    preset = PRESETS[name]
    first, most = preset["seeds"], rollouts or _count(preset)
    chosen = tuple(seeds or range(first, first + most))
    if "suite" in preset:
        _entry(preset["suite"], max(chosen))
    changes = {n: v for n, v in (interface or {}).items() if v is not None}
    forbidden = [name for name in FORBIDDEN if changes.get(name)]
    if forbidden:
        raise ValueError(f"Leaderboard runs do not allow {forbidden}.")
    if "suite" in preset and changes.get("task"):
        raise ValueError(f"{name} has tasks of its own; choose another protocol.")
    fields = {n: v for n, v in preset.items() if n not in ("about", "rollouts")}
    fields |= {"name": name, "seeds": chosen, "tables": tables}
    fields |= {"score": SUCCESS} if changes.get("task") else {}
    fields |= {"hide": tuple(preset.get("hide", ()))}
    result = Protocol(**{**fields, "interface": {**preset["interface"], **changes}})
    changed = bool(changes or seeds) or len(chosen) != _count(preset)
    if changed or "tables" in result.as_dict():
        result = dataclasses.replace(result, name=f"{name}*")
    return result


def _count(preset: Mapping[str, Any]) -> int:
    """Returns the number of rollouts of a preset: with a suite, one per attempt."""
    if "suite" in preset:
        return len(suites.suite(preset["suite"]).entries)
    return int(preset["rollouts"])


def _entry(suite: str, number: int) -> EpisodeSpec:
    """Returns an attempt of a suite.

    Raises:
      ValueError: If there is no such attempt.
    """
    entries = suites.suite(suite).entries
    if not 0 <= number < len(entries):
        raise ValueError(
            f"The suite {suite} has {len(entries)} attempts, numbered from 0; got "
            f"{number}."
        )
    return entries[number]


def from_dict(settings: Mapping[str, Any]) -> Protocol:
    """Returns the protocol described by `as_dict`.

    Raises:
      ValueError: If it is not a protocol.
    """
    game = games.find(settings.get("game", games.DEFAULT))
    raw_tables = settings.get("tables")
    with raising(ValueError, "Not a protocol: ", KeyError, TypeError, yaml.YAMLError):
        data = yaml.safe_load(raw_tables) if isinstance(raw_tables, str) else raw_tables
        tables = game.load(None) if raw_tables is None else game.restore(data)
        lists = {name: tuple(settings[name]) for name in _LISTS}
        return Protocol(**{**settings, **lists, "tables": tables})
