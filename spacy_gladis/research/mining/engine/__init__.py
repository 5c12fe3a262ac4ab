"""Runs tasks on any executor, in a folder that remembers what is finished."""

from .executor import executor
from .progress import Progress
from .tasks import Task, TaskError, is_finished, run_stage
from .workspace import Outcome, Workspace

__all__ = [
    "Outcome",
    "Progress",
    "Task",
    "TaskError",
    "Workspace",
    "executor",
    "is_finished",
    "run_stage",
]
