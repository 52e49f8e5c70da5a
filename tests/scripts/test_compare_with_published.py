"""Tests of the scripts that compare with the published package, without it."""

import pathlib
import subprocess
import sys

import compare_with_published as compare
import fetch_published_textures as fetch
import numpy as np
import pytest
from reference import golden, published
from reference import plans as planned
from reference import textures as synthetic_textures
from reference.our_side import OurSide
from reference.plans import GOLDEN, Plan, long_plan, plans, play_ours
from reference.releases import CRAFTER, Release
from reference.tally import Tally
from reference.trace import FIELDS, RESET, Game, moment_at, moments, record

SMALL = {"area": (24, 24), "length": 40}


class FaultySide(OurSide):
    """Our environment with something changed after a step of the first episode."""

    def __init__(self, arguments, textures, fault, step):
        super().__init__(arguments, textures)
        self._fault, self._at = fault, step

    def step(self, action):
        if self.env.episode == 1 and self.env.step_count == self._at - 1:
            self._fault(self.env)
        return super().step(action)


class Twin:
    """Stands in for the published package: ours, perhaps with a fault."""

    def __init__(self, fault=lambda env: None, step=1, drop=0):
        self._fault, self._step, self._drop = fault, step, drop

    def side(self, game, textures):
        return FaultySide(game.arguments, textures, self._fault, self._step)

    def play(self, game, textures):
        rows = list(moments(self.side(game, textures), game))
        return record(rows[: len(rows) - self._drop])

    def moment_at(self, game, row, textures):
        return moment_at(self.side(game, textures), game, row)


def random_game(**changes) -> Plan:
    return Plan(3, dict(SMALL), "random", **{"episodes": 2, **changes})


# --- Traces ---------------------------------------------------------------------------


def test_trace_has_a_row_for_each_reset_and_step(synthetic) -> None:
    trace = play_ours(random_game(), synthetic)
    assert trace.checksums.shape == (len(trace), len(FIELDS))
    assert np.count_nonzero(trace.actions == RESET) == 3  # the third world too
    assert trace.episodes[0] == 1 and trace.episodes[-1] == 3
    starts = np.flatnonzero(trace.actions == RESET)
    assert (trace.steps[starts] == 0).all() and trace.steps[starts[1] - 1] <= 40
    assert len(trace.played) == len(trace) - 3


def test_game_that_goes_on_after_its_end(synthetic) -> None:
    plan = random_game(steps=60, after_done="continue")
    with pytest.warns(UserWarning, match="after the episode ended"):
        trace = play_ours(plan, synthetic)
    assert np.count_nonzero(trace.actions == RESET) == 1
    assert len(trace) == 61 and trace.dones[40:].all()


# --- Comparing ------------------------------------------------------------------------


def test_identical_games(synthetic) -> None:
    found, tally = compare.compare(random_game(), Twin(), synthetic)
    assert found == ""
    short, _ = compare.compare(random_game(), Twin(drop=5), synthetic)
    assert "rows: ours" in short
    assert tally.counts["games"] == 1
    assert tally.counts["frames"] == tally.counts["steps"] + 3
    total = Tally()
    total.add(tally)
    total.add(tally)
    assert total.counts["steps"] == 2 * tally.counts["steps"]
    assert total.achievements == tally.achievements
    assert "games: 2" in compare.summary(total)


def make_hungry(env) -> None:
    env.player.hunger += 0.5


def hurt_last_object(env) -> None:
    env.world.objects[-1].health += 1


@pytest.mark.parametrize(
    "fault,field,text",
    [
        (make_hungry, "player", "item=1"),
        (hurt_last_object, "objects", "Mismatched elements: 1 /"),
        (lambda env: env.world.random.random(), "random", "Mismatched elements"),
    ],
)
def test_first_difference_is_described(fault, field, text, synthetic) -> None:
    found, _ = compare.compare(random_game(), Twin(fault, 17), synthetic)
    first, where, *details = found.splitlines()
    assert first == ("DIFFERENT: seed 3, Env(area=(24, 24), length=40), random player")
    assert where.startswith("  episode 1, step 17, after ")
    line = next(line for line in details if line.startswith(f"  {field}: "))
    assert text in line and "published" in line


def run_main(monkeypatch, arguments, found="") -> tuple[int, list[Plan]]:
    games = []

    def compare_all(planned, folder, jobs):
        games.extend(planned)
        return found, Tally()

    monkeypatch.setattr(Release, "install", lambda release, folder: folder)
    monkeypatch.setattr(compare, "compare_all", compare_all)
    monkeypatch.setattr(sys, "argv", ["compare", *arguments])
    return compare.main(), games


def test_exit_status_and_words(monkeypatch, capsys) -> None:
    assert run_main(monkeypatch, ["--seeds", "3"])[0] == 0
    assert capsys.readouterr().out.startswith("identical\n")
    status, games = run_main(monkeypatch, ["--seeds", "3"], "DIFFERENT: seed 1")
    assert status == 1 and len(games) == 3
    assert capsys.readouterr().out.startswith("DIFFERENT: seed 1\n")


# --- Plans ----------------------------------------------------------------------------


def test_plans_rotate_through_everything() -> None:
    games = plans(0, 200, None)
    assert [plan.seed for plan in games] == list(range(200))
    pairs = {(str(plan.configuration), plan.player) for plan in games}
    assert len(pairs) == len(planned.CONFIGURATIONS) * len(planned.PLAYERS)
    assert {plan.after_done for plan in games} == {"reset", "continue"}
    assert all(plan.steps for plan in games if plan.after_done == "continue")


def test_golden_plans_have_files() -> None:
    folder = pathlib.Path(__file__).parents[1] / "golden"
    assert {path.stem for path in folder.glob("*.npz")} == set(GOLDEN)
    plan = long_plan()
    assert len(plan.recorded) == 10_000
    assert plan.arguments() == {"seed": GOLDEN["survivor"].seed}


def test_saved_game_is_loaded_again(synthetic, tmp_path) -> None:
    plan = random_game(steps=20)
    trace = play_ours(plan, synthetic)
    path = tmp_path / "game.npz"
    golden.save(path, Game(plan.arguments(), trace.played, "reset"), trace)
    loaded = golden.load(path)
    assert loaded.game.arguments == {"seed": 3, "area": [24, 24], "length": 40}
    assert loaded.game.actions == trace.played
    assert (loaded.checks == golden.checks_of(trace)).all()
    assert (loaded.amounts == trace.amounts).all()


# --- The published package ------------------------------------------------------------


def test_set_keeps_insertion_order() -> None:
    members = published.InsertionOrderedSet.fromkeys("dbca")
    members.remove("b")
    members.add("d")  # is there already
    members.add("b")  # left and came back
    assert list(members) == ["d", "c", "a", "b"]
    assert "b" in members and "x" not in members and len(members) == 4
    with pytest.raises(KeyError):
        members.remove("x")


def installed_in(folder: pathlib.Path) -> pathlib.Path:
    (folder / "crafter-1.8.3.dist-info").mkdir(parents=True)
    return folder


def test_pip_is_asked_for_the_published_version(tmp_path, monkeypatch) -> None:
    commands = []

    def run(command, **_):
        commands.append(command)
        installed_in(pathlib.Path(command[command.index("--target") + 1]))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    folder = CRAFTER.install(tmp_path / "new")
    assert "crafter==1.8.3" in commands[0] and "--no-deps" in commands[0]
    assert CRAFTER.install(folder) == folder.resolve() and len(commands) == 1


def test_a_folder_without_the_package_is_reported(tmp_path) -> None:
    with (
        published.Published(tmp_path) as process,
        pytest.raises(ImportError, match="Expected crafter from"),
    ):
        process.play(Game({"seed": 0}))


# --- Fetching the textures ------------------------------------------------------------


def test_fetching_from_an_installation(synthetic, tmp_path, capsys) -> None:
    scratch = installed_in(tmp_path / "published")
    source = published.texture_folder(scratch)
    source.mkdir(parents=True, exist_ok=True)
    for path in synthetic.iterdir():
        (source / path.name).write_bytes(path.read_bytes())
    (source / "data.yaml").touch()
    arguments = [str(tmp_path / "pack"), "--scratch", str(scratch)]
    fetch.main(arguments)
    assert "56 images" in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "pack").iterdir()) == sorted(
        f"{stem}.png" for stem in synthetic_textures.STEMS
    )
    with pytest.raises(SystemExit):  # which may be another pack
        fetch.main(arguments)
    assert "File exists" in capsys.readouterr().err
