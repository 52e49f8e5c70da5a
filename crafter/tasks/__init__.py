"""Tasks: goals with a formal meaning, and the environments that set them."""

from crafter.tasks.tracing import Outcome, trace

__all__ = ["Outcome", "trace"]
