"""Tasks: goals with a formal meaning, and the environments that set them."""

from crafter.tasks.catalogue import Task, all_tasks
from crafter.tasks.conditions import Condition
from crafter.tasks.files import TaskFileError
from crafter.tasks.goals import Goal
from crafter.tasks.parse import MixtureError, TaskSyntaxError, parse, parse_condition
from crafter.tasks.records import RecordError, StepRecord
from crafter.tasks.tracing import Outcome, trace
from crafter.tasks.verdicts import Verdict

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
