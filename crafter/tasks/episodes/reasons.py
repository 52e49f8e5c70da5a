"""Reasons why a goal was not reached."""

from __future__ import annotations

#: Reason, or the part of it before the colon -> what it means.
REASONS = {
    "no_target": "nothing of what is needed is known to be there",
    "unreachable": "there is no way to it",
    "missing": "an item that cannot be had",
    "cap": "more of an item at once than the player can carry",
    "no_site": "no place is fit for what is to be built",
    "creature_lost": "a creature does not leave the place of what is to be built",
    "killed": "the player died of this",
    "violated": "this happened and must not",
    "late": "a limit of the goal ran out",
    "budget": "the steps of the attempt ran out",
    "no_method": "the planner does not know how to do this",
    "planner_error": "the planner went round in circles, or failed",
    "planner_timeout": "the planner took too long",
}


class Unsolved(Exception):
    """A method cannot go on.

    Args:
      reason: One of `REASONS`.
      detail: What the reason is about, such as the item that is missing.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        assert reason in REASONS, reason
        super().__init__(f"{reason}:{detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


def of_verdict(reason: str | None) -> str:
    """Returns the reason for which a monitor failed, in the words of `REASONS`.

    Example:
      >>> of_verdict("died:zombie"), of_verdict("timeout"), of_verdict("late:a")
      ('killed:zombie', 'budget', 'late')
    """
    word, _, detail = (reason or "").partition(":")
    if word == "died":
        return f"killed:{detail}" if detail else "killed"
    if word == "violated":
        return f"violated:{detail}"
    return {"timeout": "budget", "late": "late"}.get(word, "planner_error")
