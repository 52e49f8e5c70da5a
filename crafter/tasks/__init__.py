"""Tasks: goals with formal semantics, and environments that set them."""

from crafter.tasks.catalogue.files import TaskFileError
from crafter.tasks.catalogue.tasks import Task, all_tasks
from crafter.tasks.language.goals import Goal
from crafter.tasks.language.monitors import Verdict
from crafter.tasks.language.parse import (
    MixtureError,
    TaskSyntaxError,
    parse,
    parse_condition,
)
from crafter.tasks.language.tracing import Outcome, trace
from crafter.tasks.world.conditions import Condition
from crafter.tasks.world.records import RecordError, StepRecord

__all__ = [
    "Condition",
    "Goal",
    "MixtureError",
    "Outcome",
    "RecordError",
    "StepRecord",
    "Task",
    "TaskFileError",
    "TaskSyntaxError",
    "Verdict",
    "all_tasks",
    "parse",
    "parse_condition",
    "trace",
]
