"""The recorder of craftaxlm: ours has its methods."""

from crafter.lm.play.record import EpisodeRecorder

__all__ = ["EpisodeRecorder"]
