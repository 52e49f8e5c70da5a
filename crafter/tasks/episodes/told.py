"""Trained agents at tasks, and what they are told: hashed bags of words.

| kind | words |
|---|---|
| `nothing` | none |
| `sentence` | words and numbers of the instruction |
| `tree` | the integers of `crafter.tasks.language.encoding` |
| `recording` | actions and events of a recorded attempt; the last ones are told apart |

Every word, and every pair of neighbours, adds 1 or -1 to one place of a vector, both by
its hash. Vectors are about as long as what an agent sees, which has a 1 for each of 63
cells. A bag needs no vocabulary, so that words that were never heard do no harm, and
takes no weights but those that read it: all kinds have the same network. It forgets the
order of words beyond pairs, which instructions of a sentence seldom need.
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
#: How many numbers the vectors of the agents that come with the package have.
SIZE = 512
#: Euclidean norm of a vector.
NORM = 8.0
#: Steps at the end of a recording whose words are told apart.
_LAST = 3
#: Events that say where the player is, or name the goal.
_LEFT_OUT = ("saw", "entered", "left", "goal")


def bag(words: Sequence[str], size: int = SIZE) -> np.ndarray:
    """Returns a hashed bag of words and pairs of neighbours.

    Args:
      words: The words, in order.
      size: How many numbers the vector has.

    Returns:
      float32 (size,), of norm `NORM`; zeros if there are no words.

    Example:
      >>> bag(["defeat", "a", "zombie"]).astype(bool).sum().item(), bag([]).shape
      (5, (512,))
    """
    found = np.zeros(size, np.float32)
    pairs = (" ".join(pair) for pair in zip(words, words[1:]))
    for word, count in collections.Counter((*words, *pairs)).items():
        digest = zlib.crc32(word.encode())
        found[digest // 2 % size] += (1 - 2 * (digest % 2)) * np.sqrt(count)
    return found * (NORM / max(float(np.linalg.norm(found)), 1e-6))


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
    """Returns the instructions to learn from: those for training, and the generated."""
    return list(dict.fromkeys([*task.texts("train"), task.generated_text()]))


def of(agent: Agent, task: Task, text: str) -> np.ndarray:
    """Returns what an agent is told of a task.

    Args:
      agent: The agent. One that is told recordings has those of some tasks, as the
        array `references` and their names in `about`; of others it is told nothing.
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
    """A trained agent that makes attempts; the scene is the seed of its actions.

    Args:
      env: The environment.
      agent: The agent.

    Raises:
      ValueError: If the environment is of another game or of other rules.
    """

    def __init__(self, env: TaskEnv, agent: Agent) -> None:
        agent.check(env.base)
        self._env, self._agent = env, agent

    def reset(self, obs: Any, info: Mapping[str, Any]) -> None:
        """Begins an attempt: the same one at the same scene."""
        self._memory = self._agent.start()
        self._told = of(self._agent, self._env.task, self._env.text)
        self._random = chance_of(info["task"]["scene"])

    def act(self, obs: Any) -> int:
        """Returns an action, whatever the kind of the observation."""
        seen = self._env.base.observe(self._agent.observation)
        chances, self._memory = self._agent.act(seen, self._memory, self._told)
        return self._random.choices(range(len(chances)), chances.tolist())[0]


class _Factory:
    """Makes the players of a trained agent."""

    blind = True  # they do not look at the observations of the environment

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def __call__(self, env: TaskEnv) -> Player:
        return Player(env, self._agent)


def factory(name: str) -> Callable[[TaskEnv], Player]:
    """Returns what makes the players of a trained agent.

    Args:
      name: As for `crafter.load_agent`.

    Raises:
      ValueError: If there is no such agent.
    """
    return _Factory(load_agent(name))
