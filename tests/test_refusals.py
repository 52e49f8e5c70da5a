"""Arguments that programs refuse, and what they say of them."""

import importlib
import pathlib
import sys

import pytest
import yaml

PATH = pathlib.Path(__file__).parent / "golden" / "refusals.yaml"
TABLE = yaml.safe_load(PATH.read_text("utf-8"))
#: What reads the arguments where it is not `main`, and with which arguments.
READERS = {
    "baselines.options": ("read", ""),
    "train_plr_jax": ("parse_arguments",),
    "train_ppo_tasks": ("main",),
}


@pytest.mark.parametrize(
    ("program", "words", "message"),
    [(program, *row) for program, rows in TABLE.items() for row in rows.items()],
)
def test_bad_arguments_are_refused(
    program, words, message, request, tmp_path, monkeypatch, capsys
):
    if program == "crafter.run_gui":
        request.getfixturevalue("pygame")
    if program in READERS:
        pytest.importorskip("jax", reason="needs the extra 'jax'")
        pytest.importorskip("optax", reason="needs the extra 'jax'")
    if words.startswith("mcp "):
        pytest.importorskip("mcp", reason="needs the extra 'mcp'")
    module = importlib.import_module(program)
    name, *arguments = READERS.get(program, ["main"])
    files = [tmp_path / "text", tmp_path / "text.jsonl"]
    for path in files:
        path.write_text("Not what you think.\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [program, *words.split()])
    with pytest.raises(SystemExit) as error:
        sys.exit(getattr(module, name)(*arguments))
    assert error.value.code == 2
    err = capsys.readouterr().err
    assert message in " ".join(err.split())
    assert program != "crafter.run_gui" or err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == files  # nothing was written
