"""All tasks, by name. A task's module is imported when the task is asked for."""

from importlib import import_module
from typing import Any

from ...errors import check_names
from .task import Task

TASKS = {
    "gladis": ("disambiguation.task", "Acronym disambiguation without training: any set."),
    "ad": ("disambiguation.task", "Acronym disambiguation with training: a set is split."),
    "sciai": ("identification.task", "Acronyms and long forms in sentences of tokens (SDU-21)."),
    "sdu22-ae": ("identification.task", "Acronyms and long forms in texts (SDU-22)."),
    "bioc": ("definitions.task", "Definitions in abstracts: exact pairs."),
    "cometa": ("linking.task", "Linking phrases to concepts: rank of the right one."),
    "wic-tsv": ("verification.task", "Target sense verification: does a word mean this?"),
    "texts": ("texts.task", "Acronyms of whole texts: found, answered, right, and why not."),
}
"""The module with a task, below `tasks`, and what `spacy-gladis evaluate --help` says of it."""


def find_task(name: str) -> Task[Any, Any, Any, Any]:
    """Find a task by its name.

    Raises:
        InputError: If there is none of this name; the message lists the names.
    """
    check_names("task", [name], TASKS)
    module = import_module(f"{__package__}.{TASKS[name][0]}")
    tasks = (one for one in vars(module).values() if isinstance(one, Task))
    return next(one for one in tasks if one.name == name)
