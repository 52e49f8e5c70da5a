"""What the README says: examples run, commands exist, tables agree with the code."""

from __future__ import annotations

import pathlib
import re
import shlex
import subprocess
import sys

import pytest

import crafter
from crafter import constants, options

ROOT = pathlib.Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text("utf-8")
CONTRIBUTING = ROOT / "CONTRIBUTING.md"


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the first table after a line that is or has the heading."""
    lines = TEXT[TEXT.index(heading) :].split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("|---"))
    table = []
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            break
        table.append([cell.strip().strip("`") for cell in line.strip("|").split("|")])
    return table


def column(heading: str, index: int) -> list[str]:
    return [row[index] for row in rows(heading)]


needs_train = [pytest.mark.train, pytest.mark.slow]
# What shows that an example steps a batch of games.
BATCHED = ("make_vec", "crafter.batch")
EXAMPLES = [
    pytest.param(code, marks=needs_train if "stable_baselines3" in code else [])
    for code in blocks("python")
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_examples_run(code, tmp_path, monkeypatch):
    if "crafter.batch.jax" in code:
        pytest.importorskip("jax", reason="needs crafter[jax]")
    elif any(name in code for name in BATCHED):
        pytest.importorskip("numba", reason="needs crafter[vector]")
    if "stable_baselines3" in code:
        pytest.importorskip("stable_baselines3", reason="needs crafter[train]")
        short = "total_timesteps=256"
        code, replaced = re.subn(r"total_timesteps=[\d_]+", short, code)
        assert replaced == 1
        code = re.sub(r'("CnnPolicy", envs?,)', r"\1 n_steps=128,", code)
        code = code.replace("num_envs=256", "num_envs=2")
    monkeypatch.chdir(tmp_path)
    # A process of its own: the example must say all that it needs.
    paths = [str(pathlib.Path(crafter.__file__).parents[1])]
    code = f"import sys; sys.path[:0] = {paths}\n" + code
    subprocess.run([sys.executable, "-c", code], check=True)


def test_there_are_examples():
    assert len(EXAMPLES) >= 7


def test_outputs_in_comments_are_right(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    checked = 0
    for code in blocks("python"):
        expected = re.findall(r"^(?:print.*  )?# ([({].*)$", code, re.MULTILINE)
        if expected:
            exec(compile(code, "README.md", "exec"), {})
            assert capsys.readouterr().out.splitlines() == expected
            checked += 1
    assert checked >= 2


COMMANDS = [
    line.split("  #")[0].strip()
    for block in blocks("sh")
    for line in block.splitlines()
]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_exist(command):
    program, *arguments = shlex.split(command)
    if program == "make":
        if not (ROOT / "Makefile").exists():
            pytest.skip("needs a checkout of the project")
        makefile = (ROOT / "Makefile").read_text("utf-8")
        assert re.search(rf"^{arguments[0]}:", makefile, re.MULTILINE)
    elif program == "pip":
        extras = re.findall(r"\[(.*)\]", command)
        assert arguments[0] == "install"
        assert all(extra in column("| Extra |", 0) + ["all"] for extra in extras)
    else:
        assert program == "python"
        has_module = arguments[0] == "-m"
        words = 1 + has_module + ("crafter.lm" in arguments)  # it has subcommands
        target, rest = arguments[:words], arguments[words:]
        help_text = subprocess.run(
            [sys.executable, *target, "--help"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for flag in (word for word in rest if word.startswith("--")):
            assert re.search(rf"{flag}\b", help_text), f"{target} has no {flag}"


def test_arguments_table():
    names = list(crafter.Env.__init__.__annotations__)
    names.remove("return")
    assert column("| Argument |", 0) == names


def test_batch_arguments_table():
    pytest.importorskip("numba", reason="needs crafter[vector]")
    from crafter.batch.cpu.env import VectorEnv

    here = list(VectorEnv.__init__.__annotations__)
    single = column("| Argument |", 0)
    own = [name for name in here if name not in [*single, "return"]]
    table = column("| Batch argument |", 0)
    assert sorted(table) == sorted(own)


@pytest.mark.parametrize("kind", ["compact", "symbolic"])
def test_layout_tables(kind):
    ends = []
    for first_to_last, *_ in rows(f"`{kind}`, by default"):
        numbers = [int(n) for n in re.findall(r"\d+", first_to_last)]
        assert numbers[0] == (ends[-1] + 1 if ends else 0)
        ends.append(numbers[-1])
    space = crafter.Env(observation=kind).observation_space
    assert (ends[-1] + 1,) == space.shape


def test_actions_table():
    table = rows("### Actions")
    assert [(int(row[0]), row[1]) for row in table] == list(
        enumerate(constants.actions)
    )


def test_costs_in_the_actions_table():
    table = {row[1]: row[2] for row in rows("### Actions")}
    for name, rule in constants.place.items():
        for item, amount in rule["uses"].items():
            cost = f"{amount} {item}" if amount > 1 else item
            assert cost in table[f"place_{name}"]
        assert all(where in table[f"place_{name}"] for where in rule["where"])
    for name, rule in constants.make.items():
        needed = {*rule["uses"], *rule["nearby"]}
        assert needed == set(re.findall(r"\w+", table[f"make_{name}"])) - {
            "and",
            "nearby",
        }


def test_info_table():
    env = crafter.Env(seed=0)
    _, info = env.reset()
    assert column("### Info", 0) == list(info)
    for key, kind, _ in rows("### Info"):
        value = info[key]
        found = value.dtype.name if hasattr(value, "dtype") else type(value).__name__
        assert kind.split()[0] == found


def test_semantic_ids_table():
    table = rows("Semantic ids:")
    cells = [row[i : i + 2] for i in (0, 2, 4) for row in table]
    names = {int(number): name for number, name in cells}
    assert names == dict(enumerate(constants.semantic_names[1:], 1))


def test_achievements_table():
    assert column("### Achievements", 0) == constants.achievements


def test_options_table():
    assert column("| Option |", 0) == list(options.OPTIONS)


def test_moments_of_the_day():
    (row,) = (row for row in rows("| Option |") if row[0] == "daytime")
    assert constants.time["moments"].keys() <= set(re.findall(r"\w+", row[1]))


def test_keys_table():
    pytest.importorskip("crafter.gui.keys")
    from crafter.gui.keys import ACTIONS

    cells = [row[i : i + 2] for i in (0, 2) for row in rows("| Key |")]
    for key, action in cells[1:-1]:  # Without moving and help.
        name = action.split(":")[0].replace(" ", "_")
        assert ACTIONS[key.lower()] == name
    assert [ACTIONS[key] for key in "wasd"] == [
        f"move_{name}" for name in ("up", "left", "down", "right")
    ]


def test_links_and_pictures_exist():
    targets = re.findall(r"\]\(([^)]+)\)", TEXT)
    headings = re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)
    anchors = {
        f"#{re.sub('[^a-z0-9 -]', '', h.lower()).replace(' ', '-')}" for h in headings
    }
    local = [target for target in targets if "://" not in target]
    local = [target for target in local if target not in anchors]
    if not (ROOT / "docs").exists():
        pytest.skip("needs a checkout of the project")
    assert local
    assert [target for target in local if not (ROOT / target).exists()] == []
