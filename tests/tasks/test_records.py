"""Step records: what they hold, their accounts, their files, and playing them again."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from helpers import LONG_GAME, LONG_GAME_SEED

import crafter
from crafter.games.crafter.players.random import Wanderer
from crafter.tasks import Task
from crafter.tasks.cli import main
from crafter.tasks.env.replay import replay
from crafter.tasks.episodes.play import Playback, env_at, play
from crafter.tasks.language.attempt import Attempt
from crafter.tasks.language.goals import Goal
from crafter.tasks.scenes import draw
from crafter.tasks.world import records
from crafter.tasks.world.records import EVENT_FIELDS, RecordError
from crafter.tasks.world.view import TaskView

GOAL = (
    "collect_diamond & eat_plant.when(night) & ~event('defeated', kind='zombie', n=9)"
)


def random_moves(seed):
    """Returns an agent that moves about and acts."""
    random = np.random.default_rng(seed)
    chances = [0.02] + [0.14] * 4 + [0.3] + [0.01] * 10 + [0.02]
    return Playback(int(n) for n in random.choice(17, 10_000, p=chances))


def write_attempt(path, task, seed, area=(64, 64), **arguments):
    """Writes an attempt at the first scene to train on; returns it."""
    scene = draw(task, "train", 0, area)
    env = env_at(task, scene, record=True, **arguments)
    play(env, random_moves(seed))
    attempt = env.attempt
    records.write(path, env.header("wanderer"), attempt.records, attempt.footer())
    return attempt


def wander(seed, steps, goal=None, area=(32, 32), **options):
    """Yield environment, attempt and record for every step of a wanderer."""
    env = crafter.Env(area=area, events=True, size=18, seed=seed)
    _, info = env.reset(options=options)
    attempt = Attempt(TaskView.of(env), goal)
    player = Wanderer(seed)
    for _ in range(steps):
        action = player.act(env, info)
        _, _, dead, _, info = env.step(action)
        yield env, attempt, attempt.step(env.action_names[action], info["events"])
        if dead:
            return


def long_attempt(goal=None):
    """Return environment and attempt of the recorded episode of seed 107."""
    env = crafter.Env(seed=LONG_GAME_SEED, events=True)
    env.reset()
    attempt = Attempt(TaskView.of(env), goal)
    for letter in LONG_GAME:
        action = ord(letter) - ord("a")
        *_, info = env.step(action)
        attempt.step(env.action_names[action], info["events"])
    return env, attempt


@pytest.fixture(scope="module")
def long_game():
    return long_attempt()


def test_a_record_says_what_the_game_says():
    for env, _, record in wander(5, 60):
        player = env.player
        assert record.t == env.step_count
        assert record.pos == player.position and record.facing == player.facing
        assert record.executed == player.executed and record.clock == env.clock
        names = ("health", "food", "drink", "energy")
        assert record.vitals == tuple(player.inventory[n] for n in names)


def test_a_sleeper_is_forced(long_game):
    asleep = [r for r in long_game[1].records if r.forced]
    assert asleep and {r.executed for r in asleep if r.executed != r.action} == {
        "sleep"
    }


def test_everything_is_seen_once(long_game):
    env, attempt = long_game
    seen = [e for r in attempt.records for e in r.events if e["type"] == "saw"]
    names = [event["what"] for event in seen]
    assert len(names) == len(set(names))
    assert {"grass", "tree", "water", "cow", "zombie"} <= set(names)
    first = attempt.records[0].events
    assert "grass" in [e["what"] for e in first if e["type"] == "saw"]


def test_watched_events_have_their_fields():
    goal = Goal.parse("collect_wood & ~damaged")
    _, attempt = long_attempt(goal)
    for record in attempt.records:
        for event in record.events:
            assert set(event) == {"type", *EVENT_FIELDS[event["type"]]}
    said = [e for r in attempt.records for e in r.events if e["type"] == "goal"]
    assert [(e["node"], e["verdict"]) for e in said] == [
        ("collect_wood & (~damaged)", "DONE"),
        ("collect_wood", "DONE"),
    ]


# Accounts.


@pytest.mark.parametrize("seed", range(10))
def test_masks_are_those_of_the_changes_of_the_world(seed):
    items = {"stone": 9, "wood": 9, "sapling": 9, "wood_pickaxe": 1}
    own = dug = before = plants = None
    for env, attempt, record in wander(seed, 200, inventory=items):
        provenance, now = attempt.view.provenance, env.world.materials
        if own is None:
            own, dug = np.zeros_like(now), np.zeros(now.shape, bool)
            before, plants = provenance.original.copy(), set()
        target = tuple(np.add(record.pos, record.facing))
        for cell in zip(*(axis.tolist() for axis in (before != now).nonzero())):
            mine = cell == target
            own[cell] = now[cell] if mine and record.executed != "do" else 0
            path = crafter.constants.materials.index("path") + 1
            dug[cell] = mine and record.executed == "do" and now[cell] == path
        alive = {o.position for o in env.world.objects if o.kind == "plant"}
        plants = alive
        assert (provenance.now == now).all()
        assert (provenance.own == own).all() and (provenance.dug == dug).all()
        assert provenance.own_plants == plants
        before = now.copy()


# Watching changes nothing.


def test_a_watched_game_is_the_bare_game():
    bare = crafter.Env(seed=LONG_GAME_SEED)
    bare.reset()
    watched = crafter.Env(seed=LONG_GAME_SEED, events=True)
    watched.reset()
    attempt = Attempt(TaskView.of(watched), Goal.parse(GOAL))
    for letter in LONG_GAME:
        action = ord(letter) - ord("a")
        obs, reward, *_, info = bare.step(action)
        other, gained, *_, seen = watched.step(action)
        attempt.step(watched.action_names[action], seen["events"])
        assert (obs == other).all() and reward == gained
        assert (info["semantic"] == seen["semantic"]).all()
        keys = [env.world.random.get_words() for env in (bare, watched)]
        assert (keys[0][0] == keys[1][0]).all() and keys[0][1] == keys[1][1]


def test_an_environment_without_events_is_refused():
    env = crafter.Env(seed=0)
    env.reset()
    with pytest.raises(ValueError, match="events=True"):
        Attempt(TaskView.of(env))


# Files.


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    path = tmp_path_factory.mktemp("played") / "attempt.jsonl"
    attempt = write_attempt(path, Task("collect_coal"), 1, size=18)
    return path, attempt


@pytest.fixture
def recorded(played, tmp_path):
    """Return a copy of a recorded attempt, to damage, and the attempt."""
    return shutil.copy(played[0], tmp_path / "attempt.jsonl"), played[1]


def test_a_file_gives_the_records_back(recorded):
    path, attempt = recorded
    found = records.read(path)
    assert found.steps == attempt.records and not found.cut
    assert found.footer == attempt.footer()
    assert found.header.agent == "wanderer" and found.header.task == "collect_coal"
    assert found.header.budget == 150


def test_steps_are_short(recorded):
    lines = recorded[0].read_bytes().splitlines()[1:-1]
    assert sum(map(len, lines)) / len(lines) <= 150


def test_a_last_line_that_is_cut_off_is_left_out(recorded):
    path, attempt = recorded
    content = path.read_bytes()
    lines = content.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:20]) + lines[20][:9])
    found = records.read(path)
    assert found.cut and found.footer is None and len(found.steps) == 19
    assert replay(path) is None


def test_a_file_without_its_end_is_not_reproduced(recorded, capsys):
    path, _ = recorded
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:20]))
    assert "the end differs:\n- (nothing)\n+ " in replay(path)
    assert main(["replay", str(path)]) == 1
    assert "the end differs" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content, message",
    [
        ("", "no header"),
        ("[]\n", "line 1 must be a JSON object"),
        ('{"a": 1}\n', "Expected the file of an attempt"),
        ('{"attempt": 1}\n', "The header lacks"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path, content, message):
    path = tmp_path / "other.jsonl"
    path.write_text(content)
    with pytest.raises(RecordError, match=message):
        records.read(path)


@pytest.mark.parametrize(
    "line, message",
    [
        ("{", "line 3 is damaged"),
        ('{"t": 2}', "line 3 is no step"),
        ('{"t": 2, "action": "noop", "events": [["moved", 1]]}', "is no event"),
        ('{"t": 2, "action": "noop", "events": [["flew"]]}', "is no event"),
    ],
)
def test_a_damaged_line_is_named(recorded, line, message):
    path, _ = recorded
    lines = path.read_text().splitlines()
    lines[2] = line
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(RecordError, match=message):
        records.read(path)


# Playing again.


def test_the_first_step_that_differs_is_shown(recorded, capsys):
    path, _ = recorded
    lines = path.read_text().splitlines()
    step = json.loads(lines[7])
    step["pos"] = [1, 2]
    lines[7] = json.dumps(step, separators=(",", ":"))
    path.write_text("\n".join(lines) + "\n")
    assert main(["replay", str(path)]) == 1
    assert "step 7 differs" in capsys.readouterr().out


def test_attempts_under_other_rules_are_reproduced(tmp_path):
    rules = crafter.games.crafter.rules.load(
        {"place": {"table": {"uses": {"wood": 1}}}}
    )
    path = tmp_path / "attempt.jsonl.gz"
    write_attempt(path, Task("place_table", "simple", rules), 2, size=18)
    assert replay(path) is None
    assert records.read(path).header.start["env"]["rules"]["place"]["table"]["uses"]


@pytest.mark.parametrize(
    "header, message",
    [
        ({"env": {}}, "cannot be played"),
        ({"env": {"area": 3}, "reset": {}}, "cannot"),
        ({"env": {"rules": "any.yaml"}, "reset": {"seed": 1}}, "must be a mapping"),
    ],
)
def test_a_header_that_cannot_be_played_is_refused(recorded, header, message, capsys):
    path, _ = recorded
    lines = path.read_text().splitlines()
    first = {**json.loads(lines[0]), "start": header}
    path.write_text("\n".join([json.dumps(first), *lines[1:]]) + "\n")
    assert main(["replay", str(path)]) == 2
    assert message in capsys.readouterr().err
