"""Worlds as text, films of them, and scripted random numbers.

A film is a small world drawn with characters, and for each step an action, the expected
board after it, and the random numbers that the step may draw:

    play(
        draw_world(">.Z"),
        ("noop", ">Z.", 0.89, 0.79),  # The zombie draws twice.
        ("move_left", "<Z.", 0.9, UP),
    )

Rows are separated by blanks or line breaks. Materials are the characters of
`constants.symbols`; objects hide them:

    < > ^ v   player by facing      z   player asleep
    C Z S     cow, zombie, skeleton P R plant, ripe plant
    ← → ↑ ↓   arrow by facing
"""

from __future__ import annotations

import functools
import pathlib
import re
import warnings
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
import yaml

import crafter
from crafter import constants
from crafter.core import clock
from crafter.core.events import FIELDS
from crafter.games.crafter.players.random import Wanderer
from crafter.games.crafter.rules import load

FACINGS = {(-1, 0): "<", (1, 0): ">", (0, -1): "^", (0, 1): "v"}
ARROWS = {(-1, 0): "←", (1, 0): "→", (0, -1): "↑", (0, 1): "↓"}
KINDS = {"cow": "C", "zombie": "Z", "skeleton": "S"}
MATERIALS = {name: char for char, name in constants.symbols["materials"].items()}

_GROUND = {"S": "path", **dict.fromkeys(ARROWS.values(), "path")}  # else grass
_VECTORS = {char: vector for vector, char in [*FACINGS.items(), *ARROWS.items()]}


class Below(NamedTuple):
    """A number drawn as an integer below `n`."""

    n: int
    value: int


LEFT, RIGHT, UP, DOWN = (Below(4, value) for value in range(4))


class Script:
    """A random stream that returns only listed numbers.

    Args:
        draws: Return values of `random()`, and `Below` for `below(n)`, in order.
    """

    def __init__(self, draws: Any = ()) -> None:
        self.left = list(draws)

    def random(self) -> float:
        """Return the next number, which must not be a `Below`."""
        value = self._next("a number in [0, 1)")
        assert not isinstance(value, Below), f"A double was drawn, not {value}."
        return value

    def below(self, n: int) -> int:
        """Return the next number, which must be a `Below` of this n."""
        if n == 1:
            return 0  # draws nothing
        value = self._next(f"an integer below {n}")
        assert isinstance(value, Below), f"Below({n}) was drawn, not {value}."
        assert value.n == n, f"Below({n}) was drawn, not {value}."
        return value.value

    def _next(self, what: str) -> Any:
        assert self.left, f"The script is at its end, but {what} was drawn."
        return self.left.pop(0)


class Result(NamedTuple):
    """The result of a step."""

    obs: np.ndarray
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]

    def events(self, type: str | None = None) -> list[dict[str, Any]]:
        """Return the events of a type, or all."""
        events = self.info["events"]
        return [event for event in events if type in (None, event["type"])]

    def event_types(self) -> list[str]:
        """Return the types of all events, in order."""
        return [event["type"] for event in self.info["events"]]


def daylight(step: int) -> float:
    """Return the daylight under the default rules."""
    return clock.daylight(step, constants.time)


@functools.cache
def _make_env(area: tuple[int, int], rules: Any = None) -> crafter.Env:
    return crafter.Env(area, size=(18, 18), events=True, length=None, rules=rules)


def draw_world(
    picture: str, under: str | None = None, rules: Any = None, **options: Any
) -> crafter.Env:
    """Return an environment with the drawn world.

    Environments are shared: a second world of the same size ends the first one.

    Args:
        picture: The map, with one player.
        under: Material below all objects; by default path below skeletons and
            arrows, and grass below the others.
        rules: Changes to the rules.
        **options: Options of `Env.reset`.
    """
    rows = picture.split()
    things = _things(rows)
    area = (len(rows[0]), len(rows))
    grid = [list(row) for row in rows]
    for (x, y), char in things.items():
        grid[y][x] = MATERIALS[_GROUND.get(char, "grass")]
    (position,) = (p for p, char in things.items() if char in "<>^vz")
    objects = [_object(char, p) for p, char in things.items() if p != position]
    env = _make_env(area) if rules is None else _make_env.__wrapped__(area, rules)
    env.reset(
        seed=0,
        options={
            "map": ["".join(row) for row in grid],
            "position": position,
            "facing": _VECTORS.get(things[position], (0, 1)),
            "objects": objects,
            **options,
        },
    )
    env.player.sleeping = things[position] == "z"
    if under is not None:
        for place in things:
            env.world[place] = under
    return env


def _things(rows: list[str]) -> dict[tuple[int, int], str]:
    """Return the characters that are not materials, x outer and y inner."""
    cells = ((x, y) for x in range(len(rows[0])) for y in range(len(rows)))
    known = constants.symbols["materials"]
    return {(x, y): rows[y][x] for x, y in cells if rows[y][x] not in known}


def _object(char: str, position: tuple[int, int]) -> dict[str, Any]:
    if char in ARROWS.values():
        return {"kind": "arrow", "position": position, "facing": _VECTORS[char]}
    if char in "PR":
        grown = 301 if char == "R" else 0
        return {"kind": "plant", "position": position, "grown": grown}
    (kind,) = (kind for kind, symbol in KINDS.items() if symbol == char)
    return {"kind": kind, "position": position}


def board(env: crafter.Env) -> str:
    """Return the drawing of a world."""
    width, height = env.area
    cells = ((_char(env, x, y) for x in range(width)) for y in range(height))
    return "\n".join("".join(row) for row in cells)


def _char(env: crafter.Env, x: int, y: int) -> str:
    material, obj = env.world[x, y]
    if obj is None:
        return MATERIALS.get(material, "?")
    if obj.kind == "player":
        return "z" if obj.sleeping else FACINGS[obj.facing]
    if obj.kind == "arrow":
        return ARROWS[obj.facing]
    if obj.kind == "plant":
        return "R" if obj.ripe else "P"
    return KINDS[obj.kind]


def act(env: crafter.Env, action: str, *draws: Any) -> Result:
    """Take one step that draws exactly the given numbers."""
    stream, script = env.world.random, Script(draws)
    env.world.random = script
    try:
        result = Result(*env.step(env.action_names.index(action)))
    finally:
        env.world.random = stream
    assert not script.left, f"{action} did not draw {script.left}."
    return result


def play(env: crafter.Env, *frames: tuple) -> Result:
    """Play a film: (action, board, *draws) per step. Return the last result."""
    for number, (action, expected, *draws) in enumerate(frames, 1):
        result = act(env, action, *draws)
        expected = "\n".join(expected.split())
        actual = board(env)
        assert actual == expected, (
            f"Frame {number}, {action}: expected\n{expected}\nbut got\n{actual}"
        )
    return result


# Random numbers just below and at each threshold of creature behaviour.
SAPLINGS = {"LUCKY": 0.1, "UNLUCKY": np.nextafter(0.1, 1)}
COWS = {"MOVES": 0.4999, "STAYS": 0.5}
ZOMBIES = {"CHASE": 0.8999, "WANDER": 0.9, "LONG": 0.7999, "SHORT": 0.8}
SHOTS = {"SHOOT": 0.4999, "KEEP": 0.5, "AXIS": 0.5999, "OTHER": 0.6}
SKELETONS = {"HUNT": 0.2999, "LEAVE": 0.3, "ROAM": 0.1999, "REST": 0.2, **SHOTS}
WAYS = {"LEFT": LEFT, "RIGHT": RIGHT, "UP": UP, "DOWN": DOWN}
DRAWS = WAYS | SAPLINGS | COWS | ZOMBIES | SKELETONS


def scenes(name: str) -> list[Any]:
    """Return the films below each title of a file in `films`, for `parametrize`.

    Titles start at the margin, films are indented by two, and continuation lines by
    more.
    """
    by_title: dict[str, list[str]] = {}
    films: list[str] = []
    path = (
        pathlib.Path(__file__).parents[1]
        / "games"
        / "crafter"
        / "films"
        / f"{name}.txt"
    )
    for line in filter(None, path.read_text("utf-8").splitlines()):
        if line.startswith("   "):
            films[-1] += line
        elif line.startswith(" "):
            films.append(line)
        else:
            films = by_title[line] = []
    return [pytest.param(films, id=title) for title, films in by_title.items()]


def show(film: str, rules: Any = None) -> crafter.Env:
    """Play a film written in one line, and return its environment.

    The line has the drawing with the player's inventory, and then frames after arrows:
    `>C food=2 cow.health=1 => do >. STAYS food=8 eat_cow=1`. A frame is an action, the
    board after it, the draws and the changes: of amounts, achievements, fields of the
    player, the result and its info, of the only object of a kind, or of an event. `/`
    separates rows, and `*3` after an action repeats it.

    Amounts and achievements that are not named must not change. Reward, done and the
    fields of all events are checked in every frame.
    """
    start, *frames = film.split("=>")
    env = _film_world(rules, *start.split())
    rewards = env.rules.rewards
    expected = _amounts(env)
    for frame in frames:
        action, picture, *words = frame.split()
        action, _, times = action.partition("*")
        changes = dict(_assignment(word) for word in words if "=" in word)
        draws = [_draw(word) for word in words if "=" not in word]
        for _ in range(int(times or 1)):
            health, unlocked = env.player.health, len(env.unlocked)
            result = play(
                env, ({"wait": "noop"}.get(action, action), _rows(picture), *draws)
            )
            expected_reward = rewards["health"] * (env.player.health - health)
            expected_reward += rewards["unlock"] * (len(env.unlocked) > unlocked)
            assert result.reward == pytest.approx(expected_reward)
            assert result.terminated == (env.player.health <= 0)
            for event in result.events():
                assert {*event} == {"type", *FIELDS[event["type"]]}
        expected |= {name: changes.pop(name) for name in {*changes} & {*expected}}
        assert _amounts(env) == expected
        assert {name: _value(env, result, name) for name in changes} == changes
    return env


def _film_world(rules: Any, picture: str, *words: str) -> crafter.Env:
    given = dict(_assignment(word) for word in words)
    options = {key: given.pop(key) for key in ("under", "daytime") if key in given}
    owned = {name: given.pop(name) for name in {*given} & {*load(rules or {}).items}}
    env = draw_world(_rows(picture), rules=rules, inventory=owned, **options)
    if given.pop("frozen", False):
        for obj in env.world.objects[1:]:
            obj.update = lambda: None
    for name, value in given.items():
        kind, _, field = name.rpartition(".")
        setattr(the(env, kind or "player"), field, value)
    return env


def _rows(picture: str) -> str:
    return picture.replace("/", " ")


def _assignment(word: str) -> tuple[str, Any]:
    name, _, value = word.partition("=")
    value = yaml.safe_load(value.replace(":", ": "))
    return name, tuple(value) if isinstance(value, list) else value


def _draw(word: str) -> Any:
    value, _, n = word.partition("<")
    return Below(int(n), int(value)) if n else DRAWS.get(word) or float(word)


def _amounts(env: crafter.Env) -> dict[str, int]:
    return {**env.player.inventory, **env.player.achievements}


def _value(env: crafter.Env, result: Result, name: str) -> Any:
    first, _, field = name.rpartition(".")
    if first in FIELDS:
        (event,) = result.events(first)
        value = event[field]
    elif first:
        value = getattr(the(env, first), field)
    elif name == "events":
        value = result.event_types()
    elif name in result.info:
        value = result.info[name]
    else:
        value = getattr(result if name in Result._fields else env.player, name)
    return tuple(value) if isinstance(value, list) else value


def carry_out(env: Any, actions: Iterable[int]) -> list[Any]:
    """Take actions, continuing past the end, and return everything observable."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # The episode has ended.
        return [env.step(action) for action in actions]


def live(env: crafter.Env, steps: int, action: str = "noop") -> Iterator[Result]:
    """Take steps with the world's own random stream."""
    for _ in range(steps):
        yield Result(*env.step(env.action_names.index(action)))


def the(env: crafter.Env, kind: str) -> Any:
    """Return the only object of a kind."""
    (obj,) = (obj for obj in env.world.objects if obj.kind == kind)
    return obj


def kinds(env: crafter.Env) -> list[str]:
    """Return the kinds of all objects except the player, in index order."""
    return [obj.kind for obj in env.world.objects if obj.kind != "player"]


def crc(array: np.ndarray) -> str:
    """Return the CRC-32 of an array's bytes in C order, as 8 hex digits."""
    return f"{zlib.crc32(np.ascontiguousarray(array).tobytes()):08x}"


def stream_crc(env: crafter.Env) -> str:
    """Return the CRC-32 of the game's random state."""
    key, position = env.world.random.get_words()
    words = np.append(key, np.uint32(position)).astype("<u4")
    return crc(words)


def attempt(seed: int, steps: int = 200) -> Iterator[tuple[crafter.Env, Result]]:
    """Play randomly from a random start, until death or for `steps` steps.

    The player starts at a random time of day, with random amounts of everything.
    """
    random = np.random.RandomState(seed)
    env = _make_env((32, 32))
    items = constants.items
    amounts = {name: int(random.randint(10)) for name in items if random.randint(2)}
    vitals = {name: int(random.randint(1, 10)) for name in list(items)[:4]}
    daytime = int(random.randint(constants.time["day"]))
    options = {"inventory": {**amounts, **vitals}, "daytime": daytime}
    obs, info = env.reset(seed=seed, options=options)
    result = Result(obs, 0.0, False, False, info)
    yield env, result
    player = Wanderer(seed)
    while env.step_count < steps and not result.terminated:
        result = Result(*env.step(player.act(env, result.info)))
        yield env, result


# All kinds of objects with a state live near the player: plants, creatures, a skeleton
# with a clear shot.
BUSY_MAP = """
....................
..TT......~~~~......
..T.......~~~~...C..
.....C..............
....................
######..............
#____#.....Z....,,..
#_S__#..........,,..
#____......P........
#_____S_..@..C......
#__S_#.....P........
######..........ii..
....Z.......t...cd..
............f.......
..........%%........
....................
"""

# An episode of 615 steps with 16 achievements; one letter per action, a = 0.
LONG_GAME_SEED = 107
LONG_GAME = (
    "bffffkccebfcceeebebefcefbefdddbbfbbbffbbhbdfcfcbcbcefeebcbcefbfeefbeblfcebfcbceb"
    "cbcbcbfcebcbfcbcefilobefmbbfcefcpbbdfbeecbcbcfbcdddfcccbcbceedbcefbefdedbdfccccf"
    "fddcdcfbdfbbbebfneeecbeefefedhgaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaabfbbddddffcffefdfcbcbccbfcebcedbcefebbddbfafdfcbcnbebce"
    "ebcefdbfkccbdddfeeeeebefcbcebfcefbfcdddddfccbccbcbcbceegaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaabdbdfcbcbccbceedeeqfceccebbdbbdddbdfcccccccccdddddfbffbfbbbfcfffffcfec"
    "bebcbecffcbbbfcffcceeebbbbeeebceefefedhgaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaafdddddbdfgcffffdffbcccccccddddfbeeebffbbbfccffbefc"
)


def long_game() -> Iterator[tuple[crafter.Env, Result]]:
    """Play the recorded episode of seed 107."""
    env = crafter.Env(seed=LONG_GAME_SEED, events=True)
    obs, info = env.reset()
    yield env, Result(obs, 0.0, False, False, info)
    for letter in LONG_GAME:
        yield env, Result(*env.step(ord(letter) - ord("a")))


def mistakes(table: str) -> list[tuple[Any, str]]:
    """Parse lines such as `make: {gun: {}} => make.gun must be`, for `parametrize`.

    Args:
        table: Left, the entries of a YAML mapping; right, the start of the expected
            message, optionally on its own indented line.

    Returns:
        Mappings and messages.
    """
    rows = [row.split("=>") for row in re.split(r"\n(?! )", table.strip())]
    return [
        (yaml.safe_load(f"{{{changes}}}"), message.strip()) for changes, message in rows
    ]
