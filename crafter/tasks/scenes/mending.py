"""Changes to a scene that the planner could not solve, by the reason that it gave.

Checks find what is wrong with a scene before anybody plays it; this is for what shows
only when somebody does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from crafter.tasks.scenes import checks
from crafter.tasks.scenes.draft import Draft, needs_of
from crafter.tasks.scenes.ground import HOSTILE
from crafter.tasks.scenes.layout import place_target
from crafter.tasks.scenes.random import Draws


def mend(draft: Draft, reasons: Iterable[str], draws: Draws) -> None:
    """Changes a draft for each of some reasons of `MENDS`, in their order."""
    for reason in reasons:
        draft.repaired.append(f"played:{reason}")
        MENDS[reason](draft, draws.under(f"mend|{reason}"))


def _relieve(draft: Draft, draws: Draws) -> None:
    """Gives the most vitals of the level, and takes creatures away that are extra."""
    for name, (_, most) in draft.settings.vitals.items():
        draft.vitals[name] = most
    wanted = {entry["kind"] for entry in draft.settings.mobs}
    draft.mobs = [
        mob for mob in draft.mobs if mob["kind"] not in HOSTILE or mob["kind"] in wanted
    ]


def _bring(draft: Draft, draws: Draws) -> None:
    """Puts more of what is needed at the distance of the level."""
    for kind in needs_of(draft.task):
        place_target(draft, kind, draws)


def _open(draft: Draft, draws: Draws) -> None:
    """Makes a way to what cannot be reached."""
    checks.repair(draft, "unreachable", draws)


#: Reason of the planner, without its detail -> what may help.
MENDS: dict[str, Callable[[Draft, Draws], None]] = {
    "killed": _relieve,
    "violated": _relieve,
    "late": _relieve,
    "budget": _bring,
    "no_target": _bring,
    "missing": _bring,
    "creature_lost": _bring,
    "unreachable": _open,
}
