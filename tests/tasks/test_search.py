"""The planner that plays ahead: what its copies know, and what it is good for."""

import functools
import itertools

import pytest
from planner_scenes import Drawn

from crafter.games.crafter.planner import Planner
from crafter.tasks import Task, search, verify
from crafter.tasks.agents import factory_of
from crafter.tasks.certificates import state_hash
from crafter.tasks.envs import TaskEnv
from crafter.tasks.replicas import Moment
from crafter.tasks.search import Searcher

#: A weak player, a tree that is far, and zombies on both sides of the way.
HUNTED = """
......Z........
...............
...............
.....#..Z......
...............
.......@.......
...............
............Z..
...............
...............
T..............
"""
WEAK = {"health": 3}
WOOD = Task("collect_wood")


@functools.cache
def hunted():
    return Drawn(HUNTED, WEAK)


@functools.cache
def searched():
    return verify.solve(WOOD, hunted(), 100, search=True)


def begun(steps):
    """Returns the hunted player's game and attempt after some steps to the left."""
    env, attempt = verify._begun(WOOD, hunted(), 100)
    for _ in range(steps):
        verify._step(env, attempt, env.action_names.index("move_left"))
    return env, attempt


def course(replica, steps=12):
    """Returns where everybody is, step by step, while the player does nothing."""
    found = []
    for _ in range(steps):
        replica.step("noop")
        found.append([(t.kind, t.pos) for t in replica.view.objects()])
    return found


def test_a_search_wins_where_the_planner_alone_is_killed():
    alone = verify.solve(WOOD, hunted(), 100)
    assert (alone.solved, alone.reason) == (False, "killed:zombie")
    assert searched().solved
    assert verify.check(WOOD, hunted(), searched().certificate, 100) is None


def test_a_search_leaves_the_game_alone_and_does_the_same_again():
    """Played without a search, the same actions lead through the same states."""
    env, attempt = begun(0)
    searcher = Searcher(env, attempt, f"{hunted().hash}|0")
    plain, other = begun(0)
    actions = []
    while not attempt.monitor.verdict.final:
        before = state_hash(env.get_state())
        actions.append(env.action_names.index(searcher.act()))
        assert state_hash(env.get_state()) == before
        verify._step(env, attempt, actions[-1])
        verify._step(plain, other, actions[-1])
        assert state_hash(env.get_state()) == state_hash(plain.get_state())
    assert searcher.effort > 0
    assert attempt.records == other.records
    assert tuple(actions) == searched().actions


def test_a_copy_has_a_future_of_its_own():
    env, attempt = begun(3)
    moment = Moment(env, attempt, "name")
    copies = [moment.replica(number) for number in range(3)]
    streams = [copy.view._world.random.getstate() for copy in copies]
    streams.append(env.world.random.getstate())
    assert all(a != b for a, b in itertools.combinations(streams, 2))
    courses = [course(copy) for copy in copies]
    assert all(a != b for a, b in itertools.combinations(courses, 2))
    assert course(moment.replica(1)) == courses[1]
    assert course(Moment(env, attempt, "other").replica(1)) != courses[1]


def test_a_copy_begins_at_the_moment_and_shares_nothing_that_changes():
    env, attempt = begun(3)
    replica = Moment(env, attempt, "name").replica(0)
    view, copied = attempt.watcher.view, replica.view
    assert copied.player == view.player and copied.objects() == view.objects()
    assert (copied.materials == view.materials).all()
    assert list(copied.trail) == list(view.trail)
    assert (copied.seen == view.seen).all() and not copied.seen.flags.writeable
    assert (replica.clock, replica.monitor.steps) == (3, 3)
    before = state_hash(env.get_state())
    course(replica, 4)
    assert (replica.clock, replica.monitor.steps) == (7, 7)
    assert state_hash(env.get_state()) == before
    assert (env.clock, attempt.monitor.steps, len(view.trail)) == (3, 3, 4)


def test_nothing_is_searched_where_nobody_is_near():
    scene = Drawn("....... .T..... ....@.. .......")
    env, attempt = verify._begun(WOOD, scene, 60)
    searcher = Searcher(env, attempt, "any")
    while not attempt.monitor.verdict.final:
        verify._step(env, attempt, env.action_names.index(searcher.act()))
    assert attempt.monitor.verdict == "DONE"
    assert searcher.effort == 0


def test_the_effort_is_limited(monkeypatch):
    """With the effort used up, after one look ahead, it goes on without."""
    monkeypatch.setattr("crafter.tasks.search.EFFORT", 1)
    env, attempt = begun(0)
    searcher, efforts = Searcher(env, attempt, "any"), []
    while not attempt.monitor.verdict.final:
        verify._step(env, attempt, env.action_names.index(searcher.act()))
        efforts.append(searcher.effort)
    assert len(set(efforts) - {0}) == 1


def test_a_way_to_begin_lasts_no_longer_than_was_looked_ahead():
    env, attempt = verify._begun(WOOD, Drawn("..... .@.T. ....."), 100)
    planner = Planner(WOOD.goal, attempt.monitor, attempt.watcher.view)
    search._attending(lambda me: itertools.repeat("noop"), planner)
    actions = [planner.act() for _ in range(search.AHEAD + 1)]
    assert actions == ["noop"] * search.AHEAD + ["move_right"]


@pytest.mark.parametrize("food, looks", [(0, True), (5, False)])
def test_a_player_behind_walls_looks_ahead_when_it_starves(food, looks):
    rows = "..... .###. Z#@#. .###. ....."
    env, attempt = verify._begun(WOOD, Drawn(rows, {"food": food}), 100)
    searcher = Searcher(env, attempt, "any")
    searcher.act()
    assert (searcher.effort > 0) == looks


def test_what_was_seen_cannot_be_searched():
    with pytest.raises(ValueError, match="known='all'"):
        verify.solve(WOOD, hunted(), 100, known="seen", search=True)


def test_the_oracle_searches_like_the_verifier():
    env = TaskEnv("collect_wood", split="val", difficulty="simple")
    agent = factory_of("oracle:search")(env)
    obs, info = env.reset(seed=3)
    agent.reset(obs, info)
    done, actions = False, []
    while not done:
        actions.append(agent.act(obs))
        obs, _, terminated, truncated, info = env.step(actions[-1])
        done = terminated or truncated
    assert info["task"]["verdict"] == "DONE"
    task = Task("collect_wood", difficulty="simple")
    assert verify.solve(task, env.scene, search=True).actions == tuple(actions)
