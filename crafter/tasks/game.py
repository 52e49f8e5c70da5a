"""Interface between games and tasks: goal language, scenes, scores and agents.

Game-independent code is in this package. A game provides a `TaskGame` as its part
`tasks`, found by `core.game`; `crafter.games.crafter.tasks.game` is that of Crafter.
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
#: Option of commands that cannot read the game from a file.
OPTION = {"game": (DEFAULT, str, "the game")}
#: Folder of the files that all games share.
SHARED = pathlib.Path(__file__).parent / "data"


class Language(NamedTuple):
    """Goal language of a game.

    Attributes:
      events: Event type -> its fields, including those that views add.
      fields: Event type (empty for any) and field -> function from rules to its valid
        values.
      names: From rules to named goals, such as events.
      numbers: From rules to named quantities.
      items: From rules to the names of items.
      amount: From an item to the quantity that the player has of it.
      most: From rules to the largest amount of each item.
      materials: From rules to the materials of the map.
      things: From rules to materials and objects.
      creatures: From rules to the kinds of creatures.
      functions: Word -> condition or quantity that expressions call.
      structures: Name -> kind of structure.
      zone: From its name to the condition to be in a zone.
      tool: From its name to the condition that it is the best tool of its class.
      costs: From a thing and rules to the items that placing or making it uses up;
        raises ValueError without such a recipe.
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
    """Scenes of a game.

    Attributes:
      version: Raised when other scenes are made.
      kind: Class of scenes, a `crafter.tasks.scenes.Scene`.
      schema: From rules to the schemas of `needs` and `scene` in task files.
      check: Raises ValueError if there can be no scenes of a task on a map of a size;
        `None` for the usual size.
      attempt: From task, split, index, size of the map or `None`, and a keyed RNG to a
        scene, or to the reason why the candidate was rejected.
      problems: Reason of a rejection -> description.
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
    """Scores of a game.

    Attributes:
      version: Raised when the definition of a score changes.
      reference: From the records of a solution and rules to a reference.
      score: Scores an attempt; see `crafter.tasks.scoring.score`.
      demands: From a task to what it requires from nothing, a
        `crafter.tasks.scoring.score.Closure`; `None` with several alternatives.
      given: From the initial view to what is given, in words.
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
      version: Raised when the meaning of a task or the content of a scene changes.
      data: Folder with the catalogue and other files; CONTRIBUTING.md lists them.
      load: From a source of rules to the rules; `None` is that of the published ones.
      make_env: Makes an environment; its arguments are those of the game.
      arguments: Arguments of environments that are part of the game.
      blind: Arguments of environments for agents that ignore observations.
      view: From an environment to its `crafter.tasks.world.view.View`.
      language: Goal language.
      scenes: Scenes.
      scores: Scores of attempts; `None` where only success counts.
      agents: Name -> factory of an agent that ignores observations.
      solver: The agent that makes certificates; its `reason` says why it gave up.
      rooms: Prefix of agent names -> module whose `factory` handles the rest.
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
        """Scores of attempts.

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

        It overrides entries of the shared file of the same name.
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
