"""Scores and opinions for tests, by rule or by seeded chance."""

from __future__ import annotations

import json
import random

from crafter.tasks.catalogue.dimensions import SCORED
from crafter.tasks.episodes.results import Results
from crafter.tasks.judge.opinions import Opinion
from crafter.tasks.scoring import Scored

HEAD = {"score_version": 1, "suite": "test", "sha256": "ab" * 32}
REASONS = ("timeout", "died:zombie", "violated:~damaged")


def scored(agent="ours", task="collect_wood", level="simple", index=0, **changes):
    """Returns a solved attempt with scores of 1, except for the changes."""
    scores = {**dict.fromkeys(SCORED, 1.0), **changes.pop("scores", {})}
    known = [value for value in scores.values() if value is not None]
    fields = {
        "task": task,
        "level": level,
        "index": index,
        "scene": f"{task}-{level}-{index}",
        "agent": agent,
        "attempt": f"attempts/{index:05d}.jsonl.gz",
        "verdict": "DONE",
        "reason": None,
        "steps": 20,
        "budget": 100,
        "progress": 1.0,
        "reference_steps": 10,
        "scores": scores,
        "overall": sum(known) / len(known),
        "dimensions": len(known),
        "errors": 0,
        "milestones": {"wood": 1.0},
        "first_failed_milestone": None,
    }
    return Scored(**{**fields, **changes})


def by_chance(agent, skill, tasks, levels=("simple", "hard"), scenes=3):
    """Returns attempts that succeed more often with skill, and less on hard levels."""
    rng = random.Random(agent)
    attempts = []
    for task in tasks:
        for place, level in enumerate(levels):
            for index in range(scenes):
                done = rng.random() < skill * 0.7**place
                value = round(0.5 * skill * rng.random() + 0.5 * done, 3)
                reason = None if done else rng.choice(REASONS)
                one = scored(
                    agent,
                    task,
                    level,
                    index,
                    verdict="DONE" if done else "FAILED",
                    reason=reason,
                    scores=dict.fromkeys(SCORED, value),
                    first_failed_milestone=None if done else "wood",
                )
                attempts.append(one)
    return attempts


def write_scores(path, attempts):
    """Writes a score file of one agent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {"format": 1, "kind": "scores", **HEAD, "agent": attempts[0].agent}
    lines = [head, *map(vars, attempts)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def write_opinions(path, head, opinions):
    """Writes an opinions file."""
    with Results(path, head, Opinion) as file:
        for one in opinions:
            file.add(one)
    return path
