"""What a game brings to tasks: words for goals, scenes, scores, and players.

This room knows no game. A game brings a `TaskGame`, which `core.game` finds as its part
`tasks`, as `crafter.games.crafter.tasks.game` does for Crafter.
"""

from __future__ import annotations

import dataclasses
import functools
import pathlib
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from crafter.core import game as games
from crafter.core.ruleset import read

if TYPE_CHECKING:
    from crafter.tasks.episodes.agents import Factory

#: The game of tasks that name none.
DEFAULT = games.names("tasks")[0]
#: Option of commands that no file tells which game is meant.
OPTION = {"game": (DEFAULT, str, "the game")}
#: Folder of the files that all games share.
SHARED = pathlib.Path(__file__).parent / "data"


class Language(NamedTuple):
    """What the goals of a game speak of.

    Attributes:
      events: Event type -> its fields, those included that views add.
      fields: Event type (empty for any) and field -> from rules to the words that it
        may have.
      names: From rules to the goals that names stand for, such as events.
      numbers: From rules to the numbers of the game that names stand for.
      items: From rules to the names of what a player can have.
      amount: From an item to the number of it that the player has.
      most: From rules to the largest amount of each item.
      materials: From rules to what the ground of the map can be.
      things: From rules to these and all that can stand on it.
      creatures: From rules to the kinds of creatures that live and move.
      functions: Word -> what expressions call: conditions and numbers.
      structures: Name -> kind of structure.
      zone: From its name to the condition to be in a zone.
      tool: From its name to the condition that it is the best tool of its class.
      costs: From something and rules to the items that placing or making it uses up;
        raises ValueError if nothing does.
      symbols: From rules to further words of encodings.
    """

    events: Mapping[str, tuple[str, ...]]
    fields: Mapping[tuple[str, str], Callable[[Any], Collection[str]]]
    names: Callable[[Any], Mapping[str, Any]]
    numbers: Callable[[Any], Mapping[str, Any]]
    items: Callable[[Any], Collection[str]]
    amount: Callable[[str], Any]
    most: Callable[[Any], Mapping[str, int]]
    materials: Callable[[Any], Collection[str]]
    things: Callable[[Any], Collection[str]]
    creatures: Callable[[Any], Collection[str]]
    functions: dict[str, Callable[..., Any]]
    structures: Mapping[str, Any]
    zone: Callable[[str], Any]
    tool: Callable[[str], Any]
    costs: Callable[[str, Any], Mapping[str, int]]
    symbols: Callable[[Any], Collection[str]]


class Scenes(NamedTuple):
    """How attempts begin.

    Attributes:
      version: Raised when other scenes are made.
      kind: Class of scenes, a `crafter.tasks.scenes.Scene`.
      schema: From rules to the schemas of what a task may need, and may say of how it
        begins.
      check: Raises ValueError if scenes cannot be asked for: task, and size of the map
        or `None`.
      attempt: From task, split, index, size of the map or `None`, and draws of its own
        to a scene, or to the reason why a check refused what was tried.
      problems: Why a scene was refused, reason -> in words.
      lint: Yields what is wrong with a task: its spec, its goal, and rules; by default
        nothing.
    """

    version: int
    kind: Any
    schema: Callable[[Any], tuple[Any, Mapping[str, Any]]]
    check: Callable[..., Any]
    attempt: Callable[..., Any]
    problems: Mapping[str, str]
    lint: Callable[..., Any] = lambda spec, goal, rules: ()


class Scoring(NamedTuple):
    """What attempts are worth.

    Attributes:
      version: Raised when a score is defined otherwise.
      reference: From the records of a solution and rules to a reference.
      score: Scores an attempt; see `crafter.tasks.scoring.score`.
      demands: From a task to what it takes from nothing, a
        `crafter.tasks.scoring.scored.Closure`; `None` if there are several ways.
      given: From a view of the start to what was given, in words.
    """

    version: int
    reference: Callable[..., Any]
    score: Callable[..., Any]
    demands: Callable[[Any], Any]
    given: Callable[[Any], tuple[str, ...]]


@dataclasses.dataclass(frozen=True, eq=False)
class TaskGame:
    """The part of a game for tasks.

    Attributes:
      name: Name of the game, as its environment has it.
      version: Raised when a task of the catalogue changes its meaning, or a scene its
        content.
      data: Folder with the catalogue and other files; CONTRIBUTING.md lists them.
      load: From a source of rules to the rules; `None` is that of the published ones.
      make_env: Makes an environment; its arguments are those of the game.
      arguments: The arguments of an environment that are part of the game.
      blind: Arguments of environments for agents that do not look at observations.
      view: From an environment to its `crafter.tasks.world.view.View`.
      language: What goals speak of.
      scenes: How attempts begin.
      scores: What attempts are worth; `None` where only success counts.
      agents: Name -> what makes an agent that does not look at observations.
      solver: The one of these that makes certificates; its `reason` says why it gave
        up.
      rooms: Prefix of names of agents -> the module whose `factory` knows the rest.
    """

    name: str
    version: int
    data: pathlib.Path
    load: Callable[[Any], Any]
    make_env: Callable[..., Any]
    arguments: Collection[str]
    blind: Mapping[str, Any]
    view: Callable[[Any], Any]
    language: Language
    scenes: Scenes
    scores: Scoring | None
    agents: Mapping[str, Factory]
    solver: Callable[..., Any]
    rooms: Mapping[str, str]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles it by its name: a game is made of functions."""
        return find, (self.name,)

    @property
    def scoring(self) -> Scoring:
        """What attempts are worth.

        Raises:
          ValueError: If the game has none.
        """
        if self.scores is None:
            title = games.find(self.name).title
            raise ValueError(f"{title} has no scores of attempts, only success counts.")
        return self.scores

    @functools.cached_property
    def rules(self) -> Any:
        """The published rules."""
        return self.load(None)

    def read(self, name: str) -> Any:
        """Returns the content of a YAML file of its folder.

        Tables of the file that all games share under this name are completed by it.
        """
        return _content(self.data / name)


@functools.cache
def _content(path: pathlib.Path) -> Any:
    own, shared = read(path), SHARED / path.name
    tables = read(shared) if shared.exists() else {}
    return own | {n: {**table, **own.get(n, {})} for n, table in tables.items()}


def names() -> tuple[str, ...]:
    """Returns the names of the games that have tasks."""
    return games.names("tasks")


def find(name: str = DEFAULT) -> TaskGame:
    """Returns the part of a game for tasks.

    Raises:
      ValueError: If there is no such game, or it has no tasks.
    """
    game: TaskGame = games.find(name).part("tasks")
    return game


def of(rules: Any) -> TaskGame:
    """Returns the game of rules; `None` stands for those of the default game."""
    return find() if rules is None else find(rules.game)
