"""Menus of the title screen, independent of the window.

A choice is a mapping of command-line options, such as `game` and `seed`, and opens the
same as the command.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import functools
import heapq
import pathlib
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from crafter.core import game as core_game
from crafter.core import phrases
from crafter.gui import saves, settings
from crafter.gui.game import Page, adapter, key_tables
from crafter.gui.keys import GAME, Bindings, readable
from crafter.gui.settings import WORDS
from crafter.gui.tasks import ATTEMPTS
from crafter.tasks import game as task_games
from crafter.tasks.catalogue.tasks import all_tasks

#: Where to look for recordings.
RECORDINGS = pathlib.Path("logdir")
_MOST = 40  # recordings
_SEEDS = 10**6  # Short enough to share and type.
_LONGEST = 18  # digits

Choice = Mapping[str, Any]


class Entry(NamedTuple):
    """A menu entry.

    Attributes:
      text: Its text.
      note: Text at its right end.
      leads: What it opens: a choice to start, or a function, which may return a menu
        or a page; `None` goes back.
      sample: Returns the entry whose preview to show; `None` for its own.
      about: Text below the preview; the game's text by default.
      file: File that can be deleted from this entry.
    """

    text: str
    note: str = ""
    leads: Choice | Callable[[], Menu | Page | None] | None = None
    sample: Callable[[], Entry | None] = lambda: None
    about: str = ""
    file: pathlib.Path | None = None


@dataclasses.dataclass
class Menu:
    """A list of entries to choose from.

    Attributes:
      title: Title.
      fill: Creates the entries.
      typed: Handles a typed digit, or '' for erasing one; `None` if the menu takes no
        input.
      back: Text of the last entry.
      chosen: Index of the selected entry.
    """

    title: str
    fill: Callable[[], Iterable[Entry]]
    typed: Callable[[str], None] | None = None
    back: str = WORDS["back"]
    chosen: int = 0

    def __post_init__(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Recreates the entries."""
        self.entries = [*self.fill(), Entry(self.back)]
        self.chosen = min(self.chosen, len(self.entries) - 1)

    @property
    def entry(self) -> Entry:
        """The selected entry."""
        return self.entries[self.chosen]

    def move(self, by: int) -> None:
        """Moves the selection, wrapping around."""
        self.chosen = (self.chosen + by) % len(self.entries)


def main(args: argparse.Namespace) -> Menu:
    """Returns the main menu.

    Args:
      args: Command-line options, as changed by settings.
    """
    titles = [core_game.find(name).title for name in core_game.names("app")]
    worlds = [World(name) for name in core_game.names("app")]

    def fill() -> Iterator[Entry]:
        kept = [*_saved_games()]
        for entry in kept[:1]:
            yield entry._replace(text=WORDS["continue"], note=entry.text)
        if len(kept) > 1:
            yield _opens(WORDS["kept"], _saved_games, f"{len(kept)}")
        for world in worlds:
            yield Entry(world.title, WORDS["new"], world.menu, world.begin)
        for name in task_games.names():
            title = WORDS["tasks"].format(game=core_game.find(name).title)
            yield _opens(title, functools.partial(_categories, name))
        yield _opens(WORDS["replays"], _replays)
        yield _opens(WORDS["settings"], functools.partial(_settings, args))

    return Menu(phrases.listed(titles), fill, back=WORDS["quit"])


def _opens(title: str, fill: Callable[[], Iterable[Entry]], note: str = "") -> Entry:
    """Returns the entry of a submenu, previewed by its first entry."""
    return Entry(title, note, lambda: Menu(title, fill), lambda: next(iter(fill())))


def _saved_games() -> Iterator[Entry]:
    """Yields the games that were left."""
    for save in saves.kept():
        if save.game in core_game.names("app"):
            note = WORDS["seed"].format(**{"seed": "", **save.options})
            about = WORDS["left"].format(**save._asdict())
            choice = {"resume": save.path}
            title = core_game.find(save.game).title
            yield Entry(title, note, choice, about=about, file=save.path)


class World:
    """A new game in a world with an editable seed.

    Attributes:
      title: Display name of the game.
      seed: The seed.
    """

    def __init__(self, game: str) -> None:
        self.title, self._game = adapter(game).name, game
        self._other()

    def begin(self) -> Entry:
        """Returns the entry that starts the game."""
        note = WORDS["seed"].format(seed=self.seed)
        return Entry(WORDS["begin"], note, {"game": self._game, "seed": self.seed})

    def menu(self) -> Menu:
        """Returns the menu that starts the game."""
        return Menu(self.title, self._fill, self._type)

    def _other(self) -> None:
        self.seed, self._typed = random.randrange(_SEEDS), ""

    def _type(self, digit: str) -> None:
        self._typed = f"{self._typed}{digit}"[:_LONGEST] if digit else self._typed[:-1]
        self.seed = int(self._typed or 0)

    def _fill(self) -> Iterator[Entry]:
        yield self.begin()._replace(about=WORDS["typed"])
        today = {"game": self._game, "seed": int(f"{datetime.date.today():%Y%m%d}")}
        note, about = WORDS["seed"].format(**today), WORDS["daily_about"]
        yield Entry(WORDS["daily"], note, today, about=about)
        yield Entry(WORDS["other"], "", self._other, self.begin, WORDS["typed"])


def _categories(name: str) -> Iterator[Entry]:
    """Yields the tasks of a game, by category."""
    groups: dict[str, list[Entry]] = {}
    for task, spec in all_tasks(task_games.find(name)).items():
        choice = {"game": name, "task": task, "seed": 0}
        groups.setdefault(spec.category, []).append(Entry(readable(task), "", choice))
    for category, tasks in groups.items():
        count = WORDS["count"].format(count=len(tasks))
        yield _opens(readable(category), functools.partial(iter, tasks), count)


def _replays() -> Iterator[Entry]:
    """Yields recordings, the latest first."""
    kinds = "*-ach*.npz", f"{ATTEMPTS}/*.jsonl*"
    dated = [(f.stat().st_mtime, f) for kind in kinds for f in RECORDINGS.rglob(kind)]
    for time, path in heapq.nlargest(_MOST, dated):
        when = datetime.datetime.fromtimestamp(time)
        about, choice = WORDS["recorded"].format(when=when), {"replay": str(path)}
        yield Entry(path.name.partition(".")[0], path.parent.name, choice, about=about)
    if not dated:
        yield Entry(WORDS["none"], about=WORDS["no_replays"].format(folder=RECORDINGS))


def _settings(args: argparse.Namespace) -> Iterator[Entry]:
    """Yields the settings, and the key bindings of the games."""
    for name, row in settings.TABLE.items():
        value = getattr(args, name)
        change = functools.partial(settings.change, args, name)
        shown = str(row["values"].get(value, value))
        yield Entry(row["title"], shown, change, about=row["about"])
    for name in core_game.names("app"):
        title = WORDS["keys"].format(game=core_game.find(name).title)
        page = functools.partial(_keys, name, title)
        yield Entry(title, "", page, about=WORDS["keys_about"])


def _keys(name: str, title: str) -> Page:
    """Returns the page of key bindings of a game."""
    kind = adapter(name)
    game = kind(kind.load_rules(None))
    bindings = Bindings(game.keys, GAME)
    return Page(title, tables=key_tables(bindings, game, frozenset()))
