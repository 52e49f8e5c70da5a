"""Five scores of an attempt, computed from its records, its scene and a reference."""

from crafter.tasks.catalogue.dimensions import score_version
from crafter.tasks.scoring.files import read, score_run
from crafter.tasks.scoring.references import Reference, reference_at, reference_of
from crafter.tasks.scoring.scoring import Scored, score
from crafter.tasks.scoring.story import ScoreError

__all__ = [
    "Reference",
    "ScoreError",
    "Scored",
    "read",
    "reference_at",
    "reference_of",
    "score",
    "score_run",
    "score_version",
]
