"""A game played by an agent, with its log lines, for playing and replaying."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from crafter.lm.agents.base import Briefing, Message, briefing_of
from crafter.lm.play.aci import CrafterACI, Turn
from crafter.lm.rendering.observation import Observation
from crafter.lm.runs.logs import TRANSIENT, LogError, LogWriter, RolloutLog, text_hash
from crafter.lm.runs.protocols import Protocol

DIGEST_EVERY = 10  # steps
Line = dict[str, Any]


class Game:
    """A rollout: the interface, and the log of its calls.

    Args:
      protocol: The protocol.
      seed: Seed of the world and of the agent's own randomness.
      aci: The interface; by default made by the protocol.

    Attributes:
      protocol: The protocol.
      log: Where `write` adds lines; set it to record the game.
      aci: The interface.
      message: Next input of the agent.
      total: Sum of the rewards so far.
    """

    def __init__(
        self, protocol: Protocol, seed: int, aci: CrafterACI | None = None
    ) -> None:
        self.protocol, self.seed = protocol, seed
        self.log: LogWriter | None = None
        self._first_step: dict[str, int] = {}
        self._first_call: dict[str, int] = {}
        self.total = 0.0
        self.aci = protocol.make_interface(seed) if aci is None else aci
        start = self.aci.starting_obs
        self.message = self._message(start, self.aci.describe(start))

    @property
    def done(self) -> bool:
        """Whether the rollout is over."""
        return self.aci.done

    def briefing(self) -> Briefing:
        """Returns the agent's briefing."""
        return briefing_of(self.aci, self.protocol.rules, self.protocol.hide, self.seed)

    def write(self, type: str, **fields: Any) -> None:
        """Adds a line to the log, if there is one; see `LogWriter.write`."""
        if self.log is not None:
            self.log.write(type, **fields)

    def play(self, reply: Any, stop_on: Any = None) -> list[Line]:
        """Executes a reply and returns the log lines of its steps and its turn.

        Args:
          reply: The agent's reply: text, or decoded JSON.
          stop_on: Overrides the setting of the interface for this call.
        """
        turn = self.aci.act(reply, stop_on)
        self.message = self._message(turn.observation, turn.text)
        end = {
            "type": "turn",
            "stopped_by": turn.stopped_by,
            "skipped": list(turn.skipped),
            "error": turn.error.kind if turn.error else None,
            "observation": text_hash(turn.text),
        }
        return [*self._steps(turn), end]

    def replay(
        self, log: RolloutLog, remember: Callable[[dict[str, Any]], None]
    ) -> list[Line]:
        """Replays the calls of a log and compares their lines.

        Args:
          log: The log; without step lines, nothing is compared.
          remember: Called with the line of each call before it is played.

        Returns:
          The missing lines of the last call.

        Raises:
          LogError: If the log does not match the game.
        """
        missing: list[Line] = []
        packed = not log.of("step", "turn")
        for line in log.lines:
            if line["type"] == "call" and (packed or not missing):
                remember(line)
                missing = self.play(line["reply"])
            elif line["type"] in ("call", "step", "turn"):
                played = missing.pop(0) if missing else None
                logged = {n: v for n, v in line.items() if n not in TRANSIENT}
                if logged != played:
                    raise LogError(
                        f"{log.path}: the log does not match the game at call "
                        f"{self.aci.calls_made}: logged {logged}, played {played}."
                    )
        return [] if packed and log.end else missing

    def _steps(self, turn: Turn) -> Iterator[Line]:
        for step in turn.steps:
            self.total += step.reward
            for name in step.unlocked:
                self._first_step[name] = step.t
                self._first_call[name] = self.aci.calls_made
            line: Line = {
                "type": "step",
                "t": step.t,
                "action": step.action,
                "reward": round(step.reward, 6),
                "vitals": list(step.vitals.values()),
                "events": [event["type"] for event in step.events],
            }
            if step is turn.steps[-1] and (self.done or step.t % DIGEST_EVERY == 0):
                line["digest"] = self.aci.state_digest()
            yield line

    def end(self) -> dict[str, Any]:
        """Returns the fields of the last line of the log."""
        return {
            "reason": self.aci.reason,
            "steps": self.aci.steps_taken,
            "calls": self.aci.calls_made,
            "invalid_calls": self.aci.invalid_calls,
            "achievements": self._first_step,
            "achievement_calls": self._first_call,
            "return": round(self.total, 6),
            **self._goal(),
            "digest": self.aci.state_digest(),
        }

    def _goal(self) -> dict[str, Any]:
        """Returns the outcome of the goal, if there is one."""
        goal = self.aci.goal
        if goal is None:
            return {}
        done, progress = goal.verdict == "DONE", round(goal.progress, 6)
        return {"goal": {"done": done, "progress": progress, "why": goal.why}}

    def _message(self, obs: Observation, text: str) -> Message:
        image = obs.image_uri() if self.protocol.interface.get("images") else None
        if self.protocol.picture_only:
            return Message(caption(obs), {}, image)
        return Message(text, obs.json(), image)


def caption(obs: Observation) -> str:
    """Returns the caption of a picture that is the only observation."""
    limit = f" of {obs.step_limit}" if obs.step_limit else ""
    calls = "" if obs.calls_left is None else f" Calls left: {obs.calls_left}."
    return "\n".join([f"Step {obs.step}{limit}.{calls} See the picture.", *obs.notes])
