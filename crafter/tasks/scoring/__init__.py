"""Scores of attempts in five dimensions."""

from crafter.tasks.scoring.files import read, score, score_run
from crafter.tasks.scoring.references import Reference, reference_at
from crafter.tasks.scoring.score import Scored, ScoreError

__all__ = [
    "Reference",
    "ScoreError",
    "Scored",
    "read",
    "reference_at",
    "score",
    "score_run",
]
