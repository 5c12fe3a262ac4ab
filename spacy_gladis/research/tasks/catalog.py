"""All tasks by name. A task's module is imported when it is first needed."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import check_names

if TYPE_CHECKING:
    from .task import Task


class Listing(NamedTuple):
    """A task in the catalog.

    Attributes:
        folder: Name of the subfolder of `tasks` that implements the task.
        summary: What the task measures.
        example: Arguments of an example command.
    """

    folder: str
    summary: str
    example: str

    def help(self, name: str) -> str:
        """Return the help text of the task's command.

        Args:
            name: The task's name.

        Returns:
            The summary and an example.
        """
        return f"{self.summary}\n\nExample: spacy-gladis evaluate {name} {self.example}"


LISTINGS = {
    "gladis": Listing(
        "disambiguation",
        "Evaluate acronym disambiguation without training: macro F1 and accuracy.",
        "gladis/ --system retriever --output gladis.jsonl",
    ),
    "ad": Listing(
        "disambiguation",
        "Evaluate acronym disambiguation with training: each set is split into parts.",
        "gladis/evaluation --setting closed --system bm25 --output ad.jsonl",
    ),
    "sciai": Listing(
        "identification",
        "Evaluate acronym identification in tokenized sentences (SDU-21): macro F1.",
        "sciai/dev.json --system rules --output sciai.jsonl",
    ),
    "sdu22-ae": Listing(
        "identification",
        "Evaluate acronym extraction in six languages (SDU-22): macro F1 of offsets.",
        "sdu22/ --system rules --output sdu22.jsonl",
    ),
    "bioc": Listing(
        "definitions",
        "Evaluate definitions in abstracts: precision, recall and F1 of exact pairs.",
        "Ab3P_bioc_gold.xml --system find_definitions",
    ),
    "cometa": Listing(
        "linking",
        "Evaluate linking of phrases to concepts: Acc@1, Acc@10 and MRR.",
        "cometa/ --inventory snomed.concepts --system s",
    ),
    "wic-tsv": Listing(
        "verification",
        "Evaluate target sense verification: accuracy, precision, recall and F1.",
        "wic-tsv/data/en --system bert --task 3 --seeds 3 --output wic.jsonl",
    ),
    "memorization": Listing(
        "memorization",
        "Evaluate labels of texts and tokens by their similarity to the training set.",
        "aimed/ --system bilstm --seeds 10 --by-similarity --output aimed.jsonl",
    ),
    "texts": Listing(
        "texts",
        "Evaluate all acronyms of whole texts: detection, answers and kinds of errors.",
        "passages/dev.jsonl --predictions answers --output texts.jsonl",
    ),
    "search": Listing(
        "search",
        "Search with acronyms and long forms: recall@10 and MRR, with and without expansion.",
        "documents/dev.jsonl --system bm25 --output search.jsonl",
    ),
}
"""The tasks of all folders by name. Each folder's `task.py` has the tasks themselves in `TASKS`."""


def find_task(name: str) -> "Task[Any, Any, Any, Any]":
    """Find a task by its name.

    Args:
        name: A name in `LISTINGS`.

    Returns:
        The task, whose module is imported now.

    Raises:
        InputError: If there is no such task. The message lists the names.
    """
    check_names("task", [name], LISTINGS)
    module = import_module(f".{LISTINGS[name].folder}.task", __package__)
    task: Task[Any, Any, Any, Any] = module.TASKS[name]
    return task
