"""Five scores of an attempt, computed from its records, its scene and a reference."""

from crafter.tasks.scores.constants import score_version
from crafter.tasks.scores.files import read, score_run
from crafter.tasks.scores.references import Reference, Solutions, reference_of
from crafter.tasks.scores.scoring import Scored, Scores, score
from crafter.tasks.scores.story import ScoreError

__all__ = [
    "Reference",
    "ScoreError",
    "Scored",
    "Scores",
    "Solutions",
    "read",
    "reference_of",
    "score",
    "score_run",
    "score_version",
]
