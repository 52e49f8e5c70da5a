"""What all adapters share, and the one that needs no package."""

import inspect

import pytest

from crafter.lm import CrafterACI
from crafter.lm.trainers import Conversation, rows, settings_of, trl


def test_a_conversation_is_the_game_of_the_interface():
    talk = Conversation(seed=4, max_actions=30)
    aci = CrafterACI(seed=4, max_actions=30, max_calls=60)
    assert talk.first == aci.describe(aci.starting_obs)
    assert talk.opening == f"{talk.system}\n\n{talk.first}"
    total = 0.0
    while not talk.done:
        reply = "Action: move_right x3, do"
        turn, same = talk.reply(reply), aci.act(reply)
        assert (turn.text, turn.rewards) == (same.text, same.rewards)
        total += sum(turn.rewards)
    metrics = talk.metrics()
    assert metrics["return"] == total and metrics["steps"] == aci.steps_taken == 30
    assert metrics["achievements"] == sum(map(bool, aci.achievements.values()))
    assert "success" not in metrics


@pytest.mark.parametrize("game", ["crafter", "craftax"])
def test_the_system_prompt_says_game_rules_and_form(game):
    talk = Conversation("react", game=game, seed=0)
    left = talk.aci.words.moves["left"]
    assert talk.aci.title in talk.system and f"Action: {left} x2, do" in talk.system
    brief = Conversation("direct", "brief", game=game, seed=0)
    assert len(brief.system) < len(talk.system)


def test_tasks_are_told_and_rewarded():
    talk = Conversation(task="collect_sapling", seed=0)
    assert "Your goal: " in talk.system and talk.metrics()["success"] == 0.0
    rewards = []
    while not talk.done:
        talk.reply("move_left x2, do x5, move_up, do x5")
        rewards.append(talk.reward)
    assert sum(rewards) == talk.total == talk.metrics()["success"] == 0.0
    assert sum(map(bool, talk.aci.achievements.values())) > 0  # of another kind
    talk = Conversation(task="collect_drink", seed=0, max_calls=200)
    while not talk.done:
        talk.reply("move_left x2, do x5, move_up, do x5")
    assert talk.reward == talk.total == talk.metrics()["success"] == 1.0


def test_rows_start_a_group_alike():
    first, second = rows(2, 7, game="craftax")
    assert first == {"game": "craftax", "seed": 7} and second["seed"] == 8
    texts = {Conversation(**first).first for _ in range(3)}
    assert len(texts) == 1
    assert settings_of({"seed": None, "task": "x"}, seed=3) == {"seed": 3, "task": "x"}


# TRL.


def test_public_methods_are_tools_with_docstrings():
    methods = inspect.getmembers(trl.CrafterEnvironment, inspect.isfunction)
    tools = {name: tool for name, tool in methods if not name.startswith("_")}
    assert set(tools) == {"reset", "get_reward", "act", "look", "rules"}
    signature = inspect.signature(tools["act"])
    assert list(signature.parameters) == ["self", "actions"]
    for name in ("act", "look", "rules"):
        assert "Returns:" in (tools[name].__doc__ or "")


def test_trl_plays_a_row():
    env = trl.CrafterEnvironment()
    with pytest.raises(ValueError, match="call reset"):
        env.act("do")
    assert env.get_reward() == 0.0
    row = {"prompt": trl.PROMPT, "seed": 3, "max_actions": 10, "task": None}
    text = env.reset(**row)
    assert "You play the game" in text and env.look() in text
    while not env.talk.done:
        env.act("move_left x5")
    assert env.get_reward() == env.talk.total and env.rules() in text
