"""Six scores of an attempt, computed from its records, its scene and a reference."""

from crafter.tasks.scores.files import Head, Scored, ScoreFileError, read

__all__ = ["Head", "ScoreFileError", "Scored", "read"]
