"""Tables of the pages: they agree with the code."""

import dataclasses
import pathlib
import re
from functools import partial

import gymnasium
import pages
import pytest

import crafter
from crafter.games import craftax
from crafter.games.craftax import start as craftax_options
from crafter.games.craftax import tables as craftax_tables
from crafter.games.crafter import constants, start

if "docs/environment.md" not in pages.PAGES:
    pytest.skip("needs the pages of a checkout", allow_module_level=True)


CRAFTAX = "docs/craftax.md"
GAMES = [("docs/environment.md", crafter.Env), (CRAFTAX, craftax.Env)]


# Environment.


def test_ids_table():
    ids = pages.column("docs/environment.md", "| Id |")
    table = [name for cell in ids for name in re.findall(r"[\w-]+-v\d+", cell)]
    registered = [
        spec.id
        for spec in gymnasium.registry.values()
        if str(spec.entry_point).startswith("crafter.")
    ]
    assert sorted(table) == sorted(registered)


@pytest.mark.parametrize("page", ["environment", "craftax", "tasks"])
@pytest.mark.parametrize("column", [1, 2])
def test_tables_at_the_heads_of_pages(page, column):
    """The line that makes an environment makes one with these spaces and this limit."""
    rows = pages.rows(f"docs/{page}.md", "| At a glance |")
    told = {row[0]: row[column].strip("`") for row in rows}
    env = eval(told["Make"], {"gym": gymnasium})
    assert told["Action space"] == str(env.action_space)
    space = env.observation_space
    assert told["Observation space"].startswith(f"{type(space).__name__}(0")
    assert told["Observation space"].endswith(f"{space.shape}, {space.dtype})")
    limit = env.spec.max_episode_steps
    assert ("budget" if limit is None else f" {limit:,} steps") in told["Truncated"]
    assert told["Version"].startswith(env.spec.id[-2:])


@pytest.mark.parametrize(("page", "env"), GAMES)
def test_arguments_table(page, env):
    names = [name for name in env.__init__.__annotations__ if name != "return"]
    assert pages.column(page, "| Argument |") == names


def test_batch_arguments_table():
    pytest.importorskip("numba", reason="needs crafter[vector]")
    from crafter.compiled.env import VectorEnv

    init = VectorEnv.__init__
    single = pages.column("docs/environment.md", "| Argument |")
    own = ["num_envs", *(name for name in init.__kwdefaults__ if name not in single)]
    table = pages.column("docs/batched.md", "| Batch argument |")
    assert sorted(table) == sorted(own)


@pytest.mark.parametrize("kind", ["compact", "symbolic"])
def test_layout_tables(kind):
    ends = []
    for first_to_last in pages.column(
        "docs/environment.md", f"### {kind.capitalize()}"
    ):
        numbers = [int(n) for n in re.findall(r"\d+", first_to_last)]
        assert numbers[0] == (ends[-1] + 1 if ends else 0)
        ends.append(numbers[-1])
    space = crafter.Env(observation=kind).observation_space
    assert (ends[-1] + 1,) == space.shape


def test_actions_table():
    rows = pages.rows("docs/environment.md", "## Actions")
    names = list(enumerate(constants.actions))
    assert [(int(row[0]), row[1]) for row in rows] == names
    table = {row[1]: row[2] for row in rows}
    for name, rule in constants.place.items():
        for item, amount in rule["uses"].items():
            cost = f"{amount} {item}" if amount > 1 else item
            assert cost in table[f"place_{name}"]
        assert all(where in table[f"place_{name}"] for where in rule["where"])
    for name, rule in constants.make.items():
        words = re.findall(r"\w+", table[f"make_{name}"])
        needed = {*rule["uses"], *rule["nearby"]}
        assert needed == set(words) - {"and", "nearby"}


@pytest.mark.parametrize(
    ("page", "heading", "env"),
    [
        ("docs/environment.md", "## Info", partial(crafter.Env, setup="published")),
        (CRAFTAX, "### Info", partial(craftax.Env, setup="published")),
    ],
)
def test_info_table(page, heading, env):
    _, info = env(seed=0, action_masks="exact").reset()
    assert pages.column(page, heading) == list(info)
    for key, kind, _ in pages.rows(page, heading):
        value = info[key]
        found = value.dtype.name if hasattr(value, "dtype") else type(value).__name__
        assert kind.split()[0] == found


def test_semantic_ids_table():
    table = pages.rows("docs/environment.md", "### Semantic ids")
    cells = [row[i : i + 2] for i in (0, 2, 4) for row in table]
    names = {int(number): name for number, name in cells}
    assert names == dict(enumerate(constants.semantic_names[1:], 1))


def test_achievements_table():
    table = pages.column("docs/environment.md", "## Achievements")
    assert table == constants.achievements


@pytest.mark.parametrize(
    ("page", "options"),
    [("docs/environment.md", start.Start), (CRAFTAX, craftax_options.Start)],
)
def test_options_table(page, options):
    names = [field.name for field in dataclasses.fields(options)]
    assert pages.column(page, "| Option |") == names


def test_moments_of_the_day():
    rows = {row[0]: row[1] for row in pages.rows("docs/environment.md", "| Option |")}
    assert constants.time["moments"].keys() <= set(re.findall(r"\w+", rows["daytime"]))


# Craftax.

RULES = craftax_tables.load()


def test_craftax_floors_table():
    rows = pages.rows(CRAFTAX, "| Floor |")
    assert [(int(row[0]), row[1]) for row in rows] == list(
        enumerate(RULES.data["floors"])
    )
    for (_, name, _, creatures, _), floor in zip(rows, RULES.data["floors"].values()):
        if name != "graveyard":
            living = {floor[kind].replace("_", " ") for kind in ("melee", "ranged")}
            living |= {floor["passive"]} if floor["chances"]["passive"] else set()
            assert set(creatures.split(", ")) == living
    light = {row[1]: row[2] for row in rows}
    smooth = RULES.data["terrain"]["floors"]
    assert {name for name, word in light.items() if word == "dark"} == {
        name for name, floor in smooth.items() if floor["light"] == 0
    }


def test_craftax_actions_table():
    rows = pages.rows(CRAFTAX, "### Actions")
    actions = RULES.data["actions"].items()
    assert [tuple(row) for row in rows] == [
        (str(number), name, action["key"])
        for number, (name, action) in enumerate(actions)
    ]


def test_craftax_tiers_table():
    rows = pages.rows(CRAFTAX, "| Tier |")
    assert len(rows) == 4
    for tier, weight, names in rows:
        category = tier.replace(" ", "_")
        assert int(weight) == RULES.data["rewards"][category]
        assert re.findall(r"\w+", names) == [
            name for name, own in RULES.data["achievements"].items() if own == category
        ]


def test_craftax_parameters_table():
    rows = pages.rows(CRAFTAX, "| Parameter |")
    assert {row[0]: row[1] for row in rows} == {
        name: str(value) for name, value in RULES.data["parameters"].items()
    }


def test_craftax_repairs_table():
    rows = pages.rows(CRAFTAX, "| Number |")
    assert [tuple(row) for row in rows] == [
        (str(repair["number"]), name, repair["does"])
        for name, repair in RULES.data["repairs"].items()
    ]


def test_switches_of_setups_table():
    rows = pages.rows("docs/setups.md", "| Mark |")
    assert [tuple(row) for row in rows] == [
        (switch["mark"], name, switch["does"])
        for name, switch in RULES.data["switches"].items()
    ]


# App.


def test_keys_of_actions():
    from crafter.games.crafter.app import adapter
    from crafter.gui import keys

    table = {}
    for cell, action in pages.rows("docs/app.md", "### Actions"):
        table |= dict.fromkeys(cell.split(", "), action.split(":")[0])
    usual = adapter.KEYS.items()
    assert table == {keys.label(key): keys.readable(name) for key, name in usual}


def test_keys_of_the_actions_of_craftax():
    from crafter.games.craftax.app import adapter
    from crafter.gui import keys

    game = adapter.App(RULES)
    bindings = keys.Bindings(game.keys, keys.GAME)
    assert pages.rows("docs/app.md", "### Keys of Craftax") == [
        [bindings.labels(name), game.title_of(name)]
        for name in dict.fromkeys(bindings.actions.values())
    ]


@pytest.mark.parametrize(
    "heading, name",
    [
        ("### On the title screen", "TITLE"),
        ("### While playing", "GAME"),
        ("### While replaying", "REPLAY"),
    ],
)
def test_keys_of_commands(heading, name):
    from crafter.gui import keys

    table = pages.rows("docs/app.md", heading)
    commands = getattr(keys, name)
    assert [row[1] for row in table] == [command.help for command in commands]
    for (cell, _, code), command in zip(table, commands):
        assert cell.split(", ") == [keys.label(key) for key in command.keys]
        assert code == command.name


def test_options_of_the_app():
    from crafter import run_gui

    actions = run_gui.make_parser()._actions
    flags = [action.option_strings[-1] for action in actions if action.dest != "help"]
    table = [cell.split()[0] for cell in pages.column("docs/app.md", "| Option |")]
    assert table == flags


# Installation.


def test_extras():
    setup = pages.ROOT / "setup.py"
    if not setup.exists():
        pytest.skip("needs a checkout of the project")
    text = setup.read_text("utf-8")
    table = text[text.index("EXTRAS = {") : text.index('EXTRAS["all"]')]
    extras = re.findall(r'^    "(\w+)": \[', table, re.MULTILINE)
    assert sorted(pages.column("docs/installation.md", "| Extra |")) == sorted(extras)


# Architecture.


def rooms():
    """Return the modules and folders that the table names."""
    names = pages.column("docs/architecture.md", "| In `crafter/` |")
    return [name for cell in names for name in re.findall(r"[\w.]+/?", cell)]


def test_every_room_is_in_the_table_once():
    package = pathlib.Path(crafter.__file__).parent
    modules = [path.stem for path in package.glob("[!_]*.py")]
    folders = [f"{path.parent.name}/" for path in package.glob("*/__init__.py")]
    assert sorted(rooms()) == sorted([*modules, *folders])
