"""Trained agents conditioned on goals, encoded as hashed bags of words.

| kind | words |
|---|---|
| `nothing` | none |
| `sentence` | words and numbers of the instruction |
| `tree` | the integers of `crafter.tasks.language.encoding` |
| `recording` | actions and events of a recorded attempt; the last ones are marked |

Words and bigrams add 1 or -1 to one entry of a vector; their hash determines both. The
norm of a vector is close to that of an observation, which has a 1 for each of 63 cells.
Hashing needs no vocabulary, so that unseen words do no harm, and no embedding weights:
all kinds use the same network. Word order beyond bigrams is lost, which one-sentence
instructions seldom need.
"""

from __future__ import annotations

import collections
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from crafter.core.agents import Agent, load_agent
from crafter.tasks.catalogue.tasks import Task
from crafter.tasks.env.single import TaskEnv
from crafter.tasks.episodes.agents import chance_of
from crafter.tasks.language import encoding
from crafter.tasks.world.records import StepRecord

KINDS = ("nothing", "sentence", "tree", "recording")
#: Length of the vectors of the shipped agents.
SIZE = 512
#: Euclidean norm of a vector.
NORM = 8.0
#: Steps at the end of a recording whose words are marked.
_LAST = 3
#: Events that reveal the position of the player or the goal.
_LEFT_OUT = ("saw", "entered", "left", "goal")


def bag(words: Sequence[str], size: int = SIZE) -> np.ndarray:
    """Returns a hashed bag of words and bigrams.

    Args:
      words: The words, in order.
      size: How many numbers the vector has.

    Returns:
      float32 (size,), of norm `NORM`; zeros if there are no words.

    Example:
      >>> bag(["defeat", "a", "zombie"]).astype(bool).sum().item(), bag([]).shape
      (5, (512,))
    """
    vector = np.zeros(size, np.float32)
    pairs = (" ".join(pair) for pair in zip(words, words[1:]))
    for word, count in collections.Counter((*words, *pairs)).items():
        digest = zlib.crc32(word.encode())
        vector[digest // 2 % size] += (1 - 2 * (digest % 2)) * np.sqrt(count)
    return vector * (NORM / max(float(np.linalg.norm(vector)), 1e-6))


def words_of(text: str) -> list[str]:
    """Returns the words and numbers of an instruction.

    Example:
      >>> words_of("Make a 2x2 room, then wait.")
      ['make', 'a', '2', 'x', '2', 'room', 'then', 'wait']
    """
    return re.findall(r"[^\W\d_]+|\d+", text.lower())


def nodes_of(task: Task) -> list[str]:
    """Returns the words of the goal of a task, in prefix order."""
    codes = encoding.encode(task.goal, task.rules)
    return [str(code) for code in codes if code]


def happened(steps: Iterable[StepRecord]) -> list[str]:
    """Returns the words of a recorded attempt: actions and events without places."""
    steps = list(steps)
    words = []
    for record in steps:
        last = "last " if record.t > steps[-1].t - _LAST else ""
        words.append(f"{last}{record.action}")
        for event in record.events:
            if event["type"] not in _LEFT_OUT:
                values = (v for v in event.values() if isinstance(v, str))
                words.append(f"{last}{' '.join(values)}")
    return words


def wordings(task: Task) -> list[str]:
    """Returns the instructions for training, with the generated one."""
    return list(dict.fromkeys([*task.texts("train"), task.generated_text()]))


def of(agent: Agent, task: Task, text: str) -> np.ndarray:
    """Returns the goal vector of an agent for a task.

    Args:
      agent: The agent. One conditioned on recordings has those of some tasks, as the
        array `references` and names in `about`; the vectors of other tasks are 0.
      task: The task.
      text: Its instruction.

    Returns:
      float32 (size,), see `bag`.
    """
    kind, size = agent.about.get("told", {}).get("kind"), agent.told_size
    if kind == "recording":
        rows = zip(agent.about["references"], agent.weights["references"])
        return dict(rows).get(task.name, bag([], size))
    if kind == "tree":
        return bag(nodes_of(task), size)
    return bag(words_of(text) if kind == "sentence" else [], size)


class Player:
    """Trained agent that plays tasks; the scene seeds its actions.

    Args:
      env: The environment.
      agent: The agent.

    Raises:
      ValueError: If the environment has another game or other rules.
    """

    def __init__(self, env: TaskEnv, agent: Agent) -> None:
        agent.check(env.base)
        self._env, self._agent = env, agent

    def reset(self, obs: Any, info: Mapping[str, Any]) -> None:
        """Starts an episode; it is the same for the same scene."""
        self._memory = self._agent.start()
        self._told = of(self._agent, self._env.task, self._env.text)
        self._random = chance_of(info["task"]["scene"])

    def act(self, obs: Any) -> int:
        """Returns a sampled action; `obs` is ignored."""
        seen = self._env.base.observe(self._agent.observation)
        chances, self._memory = self._agent.act(seen, self._memory, self._told)
        return self._random.choices(range(len(chances)), chances.tolist())[0]


class _Factory:
    """Factory of the players of a trained agent."""

    blind = True  # they ignore the observations of the environment

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def __call__(self, env: TaskEnv) -> Player:
        return Player(env, self._agent)


def factory(name: str) -> Callable[[TaskEnv], Player]:
    """Returns the factory of the players of a trained agent.

    Args:
      name: As for `crafter.load_agent`.

    Raises:
      ValueError: If there is no such agent.
    """
    return _Factory(load_agent(name))
