"""Step records: what they hold, their accounts, their files, and playing them again."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from helpers import LONG_GAME, LONG_GAME_SEED

import crafter
from crafter.core.grid import cells_of
from crafter.games.crafter.players.random import Wanderer
from crafter.games.crafter.tasks.language import EVENTS
from crafter.games.crafter.tasks.view import TaskView
from crafter.tasks import Task
from crafter.tasks.cli import main
from crafter.tasks.env.replay import replay
from crafter.tasks.episodes.agents import Playback
from crafter.tasks.episodes.play import env_at, play
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.tracker import Tracker
from crafter.tasks.scenes import draw
from crafter.tasks.world import records
from crafter.tasks.world.records import RecordError

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
    attempt = env.tracker
    records.write(path, env.header("wanderer"), attempt.records, attempt.footer())
    return attempt


@pytest.fixture(scope="module")
def long_game():
    """Return the attempt of the recorded episode of seed 107."""
    env = crafter.Env(seed=LONG_GAME_SEED, events=True)
    env.reset()
    attempt = Tracker(TaskView.of(env), Goal.parse("collect_wood & ~damaged"))
    for letter in LONG_GAME:
        action = ord(letter) - ord("a")
        *_, info = env.step(action)
        attempt.step(env.action_names[action], info["events"])
    return attempt


def test_a_sleeper_is_forced(long_game):
    asleep = [r for r in long_game.records if r.forced]
    forced = {r.executed for r in asleep if r.executed != r.action}
    assert asleep and forced == {"sleep"}


def test_events_have_their_fields_and_everything_is_seen_once(long_game):
    events = [event for record in long_game.records for event in record.events]
    for event in events:
        assert set(event) == {"type", *EVENTS[event["type"]]}
    names = [event["what"] for event in events if event["type"] == "saw"]
    assert len(names) == len(set(names))
    assert {"grass", "tree", "water", "cow", "zombie"} <= set(names)
    assert "grass" in [e.get("what") for e in long_game.records[0].events]
    said = [e for e in events if e["type"] == "goal"]
    assert [(e["node"], e["verdict"]) for e in said] == [
        ("collect_wood & (~damaged)", "DONE"),
        ("collect_wood", "DONE"),
    ]


# Accounts.


@pytest.mark.parametrize("seed", range(10))
def test_records_and_masks_say_what_the_game_says(seed):
    env = crafter.Env(area=(32, 32), events=True, size=18, seed=seed)
    items = {"stone": 9, "wood": 9, "sapling": 9, "wood_pickaxe": 1}
    _, info = env.reset(options={"inventory": items})
    attempt, agent, player = Tracker(TaskView.of(env)), Wanderer(seed), env.player
    provenance, before = attempt.view.provenance, env.world.materials.copy()
    own, dug = np.zeros_like(before), np.zeros(before.shape, bool)
    path = crafter.constants.materials.index("path") + 1
    while env.step_count < 200 and player.health > 0:
        *_, info = env.step(action := agent.act(env, info))
        record = attempt.step(env.action_names[action], info["events"])
        assert record.t == env.step_count and record.clock == env.clock
        assert (record.pos, record.facing) == (player.position, player.facing)
        assert record.executed == player.executed
        names = ("health", "food", "drink", "energy")
        assert record.vitals == tuple(player.inventory[n] for n in names)
        now, target = env.world.materials, tuple(np.add(record.pos, record.facing))
        for cell in cells_of(before != now):
            mine = cell == target
            own[cell] = now[cell] if mine and record.executed != "do" else 0
            dug[cell] = mine and record.executed == "do" and now[cell] == path
        assert (provenance.now == now).all()
        assert (provenance.own == own).all() and (provenance.dug == dug).all()
        plants = {o.position for o in env.world.objects if o.kind == "plant"}
        assert provenance.own_plants == plants
        before = now.copy()


# Watching changes nothing.


def test_a_watched_game_is_the_bare_game():
    bare = crafter.Env(seed=LONG_GAME_SEED)
    bare.reset()
    watched = crafter.Env(seed=LONG_GAME_SEED, events=True)
    watched.reset()
    attempt = Tracker(TaskView.of(watched), Goal.parse(GOAL))
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
        Tracker(TaskView.of(env))


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
    lines = path.read_bytes().splitlines()[1:-1]
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
    "lines, message",
    [
        ({}, "no header"),
        ({0: "[]"}, "line 1 must be a JSON object"),
        ({0: '{"a": 1}'}, "Expected the file of an attempt"),
        ({0: '{"attempt": 1}'}, "The header lacks"),
        ({2: "{"}, "line 3 is damaged"),
        ({2: '{"t": 2}'}, "line 3 is not a step"),
        (
            {2: '{"t": 2, "action": "noop", "events": [["moved", 1]]}'},
            "is not an event",
        ),
        ({2: '{"t": 2, "action": "noop", "events": [["flew"]]}'}, "is not an event"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(recorded, lines, message):
    path, _ = recorded
    whole = path.read_text().splitlines() if lines else []
    for number, line in lines.items():
        whole[number] = line
    path.write_text("".join(f"{line}\n" for line in whole))
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
        ({"env": {}}, "cannot play the game"),
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
