"""Many conversations at once: each is the single one, word for word."""

import pytest

from crafter.lm.trainers import Conversation, rows
from crafter.lm.trainers.batch import Conversations

REPLIES = ("left x3, do", "fly", "<think>Hm", "up until day", "noop x9", "do") * 2
#: What games have of their own, and why they end.
ROWS = {
    "cap_actions": {"max_actions": 9},
    "cap_calls": {"game": "craftax", "max_calls": 7},
    "invalid_limit": {"invalid_limit": 2, "format": "json"},
    "died": {"rules": {"items": {"health": {"initial": 1}, "food": {"initial": 0}}}},
    None: {"task": "collect_diamond"},
}


def test_each_conversation_is_the_single_one():
    starts = [{"seed": n, **row} for n, row in enumerate(ROWS.values())]
    settings = {"style": "direct", "stop_on": "none"}
    single = [Conversation(**settings, **row) for row in starts]
    with Conversations(2, **settings) as talks:
        assert talks.reset(starts) == [talk.opening for talk in single]
        for reply in REPLIES:
            for talk, found in zip(single, talks.reply([reply] * len(single))):
                turn = talk.reply(reply)
                ends = turn.terminated, turn.truncated
                error = turn.error and turn.error.kind
                metrics = talk.metrics() if turn.done else {}
                assert found == (turn.text, talk.reward, *ends, error, metrics)
    assert [talk.aci.reason for talk in single] == list(ROWS)


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
