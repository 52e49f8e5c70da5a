"""Which axis makes hard hard: attempts on the easiest level with one axis raised.

Every scene is attempted on the easiest level, and again with one axis at a time as on
the hardest level. World, start and chances of such a scene are those of the easiest
level, as far as the axis leaves them, and all attempts may take as long as on the
hardest level.
"""

from __future__ import annotations

from collections.abc import Sequence

from crafter.tasks import files
from crafter.tasks.catalogue import Task, named
from crafter.tasks.difficulty import Difficulty
from crafter.tasks.episodes import EpisodeSpec
from crafter.tasks.results import indices
from crafter.tasks.suites import Suite

#: Name of the suites of ablations.
NAME = "ablation"


def levels(axes: Sequence[str]) -> list[str]:
    """Returns the easiest level, then for each axis that level with the axis raised.

    Args:
      axes: Names of axes.

    Raises:
      ValueError: If there is no such axis, none is given, or one is given twice.

    Example:
      >>> levels(["supply", "threat"])
      ['simple', 'simple,supply=hard', 'simple,threat=hard']
    """
    if not axes or len(set(axes)) < len(axes):
        raise ValueError(f"Expected axes, each of them once, got {list(axes)}.")
    easiest, hardest = files.levels()[0], files.levels()[-1]
    raised = [Difficulty.of({"level": easiest, axis: hardest}).name for axis in axes]
    return [easiest, *raised]


def suite_of(tasks: Sequence[str], axes: Sequence[str], scenes: int) -> Suite:
    """Returns the attempts of an ablation, those on one scene next to each other.

    Args:
      tasks: Names, expressions or task files.
      axes: Names of the axes that are raised.
      scenes: How many scenes of each task; those that the easiest level has in suites.

    Raises:
      ValueError: If there is no such task or axis, or there are too few scenes.
    """
    chosen = levels(axes)
    if scenes < 1:
        raise ValueError(f"scenes must be at least 1, got {scenes}.")
    hardest = files.levels()[-1]
    entries = [
        EpisodeSpec(
            name, level, index, source=source, budget=Task(source, hardest).budget
        )
        for name, source in named(tasks).items()
        for index in indices(name, chosen[0], scenes)
        for level in chosen
    ]
    return Suite(NAME, tuple(entries))
