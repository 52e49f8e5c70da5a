"""Many conversations at once: each is the single one, word for word."""

import random

import pytest

from crafter.lm import game as games
from crafter.lm.trainers import Conversation, rows
from crafter.lm.trainers.batch import Conversations

ODD = (
    *("", "fly", "???", "left, left, jump", "<think>Hm", "x" * 300, "up until day"),
    *(
        "left x3, do",
        '{"action": "noop", "count": 4}',
        "Thought: no.\nAction: sleep x9",
    ),
)
#: Reason -> settings of a game that ends for it.
STARVING = {"health": {"max": 1, "initial": 1}, "food": {"initial": 0}}
ENDS = {
    "crafter": {
        "cap_actions": {"max_actions": 9},
        "cap_calls": {"max_calls": 7},
        "invalid_limit": {"invalid_limit": 2},
        "died": {"rules": {"items": STARVING}, "stop_on": "none"},
        "goal_done": {"task": "collect_drink"},
    },
    "craftax": {
        "cap_actions": {"max_actions": 9},
        "cap_calls": {"max_calls": 7},
        "invalid_limit": {"invalid_limit": 2},
    },
}


def _replies(rng, name, count):
    actions = games.find(name).words().actions
    return [rng.choice(ODD if rng.random() < 0.5 else actions) for _ in range(count)]


@pytest.mark.parametrize("name", ENDS)
def test_each_conversation_is_the_single_one(name):
    kinds = [{}, {"format": "json"}, *ENDS[name].values()]
    rng, reasons = random.Random(3), set()
    with Conversations(2, game=name, style="direct") as talks:
        for generation in range(2):
            starts = [
                {"seed": 10 * generation + n, **kind} for n, kind in enumerate(kinds)
            ]
            single = [Conversation("direct", game=name, **row) for row in starts]
            assert talks.reset(starts) == [talk.opening for talk in single]
            for _ in range(30):
                replies = _replies(rng, name, len(kinds))
                for talk, reply, found in zip(single, replies, talks.reply(replies)):
                    turn = talk.reply(reply)
                    ends = turn.terminated, turn.truncated
                    error = turn.error and turn.error.kind
                    metrics = talk.metrics() if turn.done else {}
                    assert found == (turn.text, talk.reward, *ends, error, metrics)
            reasons |= {talk.aci.reason for talk in single}
    assert reasons >= {reason for reason in ENDS[name] if reason != "goal_done"}


def test_games_are_replaced_and_others_wait():
    with Conversations(2, style="direct", max_calls=1) as talks:
        first = talks.reset(list(rows(3)))
        ended = talks.reply(["noop", "do"], [2, 0])
        assert [outcome.truncated for outcome in ended] == [True, True]
        assert talks.reset([{"seed": 1}], [2]) == first[1:2]
        again = talks.reply(["noop"] * 3)
        assert [outcome.error for outcome in again] == ["over", None, None]
        assert again[1][:4] == again[2][:4]
        assert len(set(talks.reset([{}] * 30))) > 1  # worlds of nobody, some look alike


def test_wrong_arguments_are_explained():
    with Conversations(1, style="direct") as talks:
        talks.reset(list(rows(2)))
        for texts, which, says in (
            (["do"], None, "one for each of 2 games"),
            (["do"], [2], "below 2"),
            (["do"] * 2, [0, 0], "each once"),
        ):
            with pytest.raises(ValueError, match=says):
                talks.reply(texts, which)
        with pytest.raises(ValueError, match="Unknown game 'chess'"):
            talks.reset([{"game": "chess"}], [0])
