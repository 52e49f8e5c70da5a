"""Examples and commands of all pages: they run, and print what the pages say."""

import importlib.util
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import pages
import pytest
import yaml

import crafter
from crafter.games.crafter.app import adapter
from crafter.gui import keys
from crafter.tasks import game as games
from crafter.tasks.catalogue import files

SOURCE = str(pathlib.Path(crafter.__file__).parents[1])
TRIES = pathlib.Path(__file__).with_name("try_commands.py")

# What an example or command contains -> the module of the extra that it needs.
NEEDS = {
    r"batch\.jax|_jax|_(ppo|bc)_tasks|_ued|compare_craftax|export_agent": "jax",
    r"batch\.(?!jax)|make_vec": "numba",
    "stable_baselines3": "stable_baselines3",
    "run_gui": "pygame",
    "llm_client": "httpx2",
    "minari": "minari",
    "export_lerobot": "pyarrow",
    "load_openenv": "openenv",
    "analysis/plot_": "matplotlib",
}
# What runs long enough to be left out by default.
SLOW = {
    "stable_baselines3": [pytest.mark.train, pytest.mark.slow],
    "crafter.batch.jax": [pytest.mark.slow],
    "make_vec": [pytest.mark.slow],
}


def parameters(language):
    """Return the blocks to run, with the marks that they deserve."""
    blocks = [block for block in pages.all_blocks(language) if not block.not_run]
    marks = [
        [mark for part in SLOW if part in block.code for mark in SLOW[part]]
        for block in blocks
    ]
    return [pytest.param(b, id=b.name, marks=m) for b, m in zip(blocks, marks)]


def skip_without_extra(text):
    for pattern, module in NEEDS.items():
        if re.search(pattern, text) and importlib.util.find_spec(module) is None:
            pytest.skip(f"needs {module}")


def shortened(code):
    """Return an example of training with less of it."""
    if "stable_baselines3" in code:
        short = "total_timesteps=256"
        code, replaced = re.subn(r"total_timesteps=[\d_]+", short, code)
        assert replaced == 1
        code = re.sub(r'("CnnPolicy", envs?,)', r"\1 n_steps=128,", code)
        code = code.replace("num_envs=256", "num_envs=2")
    return code


def expected_output(code):
    """Return the lines that comments beside and below prints say."""
    return re.findall(r"^print\(.*\)(?:  |\n)# (.*)$", code, re.MULTILINE)


# Python.


def check_output(block, output):
    """Check that an example printed what it says, if it says that."""
    if expected := expected_output(block.code):
        assert output.splitlines() == expected


@pytest.mark.parametrize("block", [p for p in parameters("python") if not p.marks])
def test_example_runs_and_prints_what_it_says(block, tmp_path, monkeypatch, capsys):
    skip_without_extra(block.code)
    monkeypatch.chdir(tmp_path)
    exec(compile(block.code, block.name, "exec"), {"__name__": "__main__"})
    check_output(block, capsys.readouterr().out)


@pytest.mark.slow
@pytest.mark.parametrize("block", parameters("python"))
def test_example_says_all_that_it_needs(block, tmp_path):
    """In a process of its own, where nothing is imported yet."""
    skip_without_extra(block.code)
    result = subprocess.run(
        [sys.executable, "-c", shortened(block.code)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    check_output(block, result.stdout)


# Commands.


# A command inside a sentence, perhaps over two lines.
INLINE = re.compile(r"`((?:make|python) [^`]+)`")


def commands():
    """Yield the commands of all pages."""
    for block in pages.all_blocks("sh"):
        if not block.not_run:
            for number, line in enumerate(block.code.splitlines(), block.line):
                yield pytest.param(line.split("  #")[0], id=f"{block.page}:{number}")
    for page, text in pages.PAGES.items():
        for found in INLINE.finditer(text):
            number = text.count("\n", 0, found.start()) + 1
            yield pytest.param(" ".join(found[1].split()), id=f"{page}:{number}")


COMMANDS = list(commands())
# Target of the Makefile -> the program that gets ARGS.
PROGRAMS = {
    "bench": ["scripts/benchmark.py"],
    "demo": ["scripts/demo.py"],
    "play": ["-m", "crafter.run_gui"],
}


def split(command):
    """Return program and arguments, without variables that are set in front."""
    words = shlex.split(command)
    while "=" in words[0]:
        del words[0]
    return words


def python_arguments(command):
    """Return what Python gets for a command that runs one of our programs."""
    program, *rest = split(command)
    if program == "python" and rest[:2] not in (["-m", "pytest"], ["-m", "pip"]):
        return rest
    if program == "crafter":
        return ["-m", "crafter", *rest]
    if program == "make" and rest[0] in PROGRAMS:
        options = "".join(word for word in rest if word.startswith("ARGS="))
        return PROGRAMS[rest[0]] + shlex.split(options.removeprefix("ARGS="))
    return None


def try_all(commands):
    """Try commands in one process; return arguments, exit code and output of each."""
    result = subprocess.run(
        [sys.executable, TRIES],
        input=json.dumps(commands),
        cwd=pages.ROOT,
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def tried():
    """Arguments of all commands -> (exit code, output)."""
    wanted = [python_arguments(command.values[0]) for command in COMMANDS]
    wanted = [words for words in wanted if words]
    return {tuple(words): (code, output) for words, code, output in try_all(wanted)}


def check_make(target, *_):
    makefile = pages.ROOT / "Makefile"
    if not makefile.exists():
        pytest.skip("needs a checkout of the project")
    assert re.search(rf"^{target}:", makefile.read_text("utf-8"), re.MULTILINE)


def check_pip(verb, package):
    assert verb == "install"
    extras = pages.column("docs/installation.md", "| Extra |")
    for group in re.findall(r"\[(.*)\]", package):
        assert set(group.split(",")) <= {*extras, "all"}


def check_pytest(words):
    paths = [word for word in words if "/" in word]
    assert paths and all((pages.ROOT / path).exists() for path in paths)


def check_program(words, tried):
    skip_without_extra(" ".join(words))
    code, output = tried[tuple(words)]
    assert code == 0, output
    for option in (word for word in words if word.startswith("--")):
        assert re.search(rf"{option}\b", output), f"there is no {option}"


@pytest.mark.parametrize("command", COMMANDS)
def test_command_is_valid(command, tried):
    program, *rest = split(command)
    if program == "make":
        check_make(*rest)
    elif program == "pip":
        check_pip(*rest)
    elif rest[:2] == ["-m", "pytest"]:
        check_pytest(rest)
    elif program == "export":
        assert rest and all(re.fullmatch(r"CRAFTER_\w+=\S+", word) for word in rest)
    else:
        assert program in ("crafter", "python", ".venv/bin/pre-commit")
    if words := python_arguments(command):
        check_program(words, tried)


def test_a_wrong_command_is_noticed():
    wrong = [
        ["-m", "crafter.run_random", "--episodes", "few"],
        ["scripts/no_such_program.py"],
    ]
    assert all(code for _, code, _ in try_all(wrong))


# What is neither.


def test_every_block_says_its_language():
    known = {"python", "sh", "json", "yaml", "bibtex", "text"}
    found = [block for page in pages.PAGES for block in pages.blocks(page)]
    assert [block.name for block in found if block.language not in known] == []


@pytest.mark.parametrize("block", parameters("json"))
def test_json_can_be_read(block):
    json.loads(block.code)


@pytest.mark.parametrize("block", parameters("yaml"))
def test_files_of_keys_and_tasks_can_be_read(block, tmp_path):
    if included := re.fullmatch(r'--8<-- "(.+)"\s*', block.code):
        path = pathlib.Path(crafter.__file__).parents[1] / included[1]
        assert yaml.safe_load(path.read_text("utf-8"))
        return
    path = tmp_path / "example.yaml"
    path.write_text(block.code, "utf-8")
    if "goal" in yaml.safe_load(block.code):
        rules = games.find("craftax" if "floor:" in block.code else "crafter").rules
        (task,) = files.load(path, rules)
        assert f"name: {task.name}" in block.code
        return
    before = keys.Bindings(adapter.KEYS, keys.GAME)
    after = keys.read_file(path, before, crafter.constants.actions)
    assert after != before


def test_every_fence_is_found():
    for page, text in pages.PAGES.items():
        fences = re.findall(r"^ *```", text, re.MULTILINE)
        assert len(fences) == 2 * len(list(pages.blocks(page))), page
