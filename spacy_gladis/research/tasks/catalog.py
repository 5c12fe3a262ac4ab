"""All tasks by name. A task's module is imported when it is first needed."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import check_names

if TYPE_CHECKING:
    from .task import Task


class Listing(NamedTuple):
    """A task in the catalog.

    Attributes:
        folder: The folder of `tasks` that holds it.
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


TASKS = {
    "gladis": Listing(
        "disambiguation",
        "Acronym disambiguation without training: macro F1 and accuracy on whole sets.",
        "gladis/ --system retriever --output gladis.jsonl",
    ),
    "ad": Listing(
        "disambiguation",
        "Acronym disambiguation with training: sets are divided, systems learn from a part.",
        "gladis/evaluation --setting closed --system bm25 --output ad.jsonl",
    ),
    "sciai": Listing(
        "identification",
        "Acronyms and long forms in sentences of tokens (SDU-21): macro F1 of exact spans.",
        "sciai/dev.json --system rules --output sciai.jsonl",
    ),
    "sdu22-ae": Listing(
        "identification",
        "Acronyms and long forms in six languages (SDU-22): macro F1 of exact offsets.",
        "sdu22/ --system rules --output sdu22.jsonl",
    ),
    "bioc": Listing(
        "definitions",
        "Definitions in abstracts: exact pairs, beside the tools in use today.",
        "Ab3P_bioc_gold.xml --system find_definitions",
    ),
    "cometa": Listing(
        "linking",
        "Linking phrases to concepts: Acc@1, Acc@10 and MRR on any split.",
        "cometa/ --inventory snomed.concepts --system s",
    ),
    "wic-tsv": Listing(
        "verification",
        "Target sense verification: accuracy, precision, recall and F1.",
        "wic-tsv/data/en --system bert --task 3 --seeds 3 --output wic.jsonl",
    ),
    "memorization": Listing(
        "memorization",
        "Labels of texts and of tokens by similarity to training: AIMed, SST-2, BC3 ACT, BC2GM.",
        "aimed/ --system bilstm --seeds 10 --by-similarity --output aimed.jsonl",
    ),
    "texts": Listing(
        "texts",
        "Acronyms of whole texts: found, answered, right, and why not.",
        "passages/dev.jsonl --predictions answers --output texts.jsonl",
    ),
    "search": Listing(
        "search",
        "Search with acronyms and long forms: recall@10 and MRR, with and without expansion.",
        "documents/dev.jsonl --system bm25 --output search.jsonl",
    ),
}


def find_task(name: str) -> "Task[Any, Any, Any, Any]":
    """Find a task by its name.

    Args:
        name: A name in `TASKS`.

    Returns:
        The task, whose module is imported now.

    Raises:
        InputError: If there is no such task. The message lists the names.
    """
    check_names("task", [name], TASKS)
    module = import_module(f".{TASKS[name].folder}.task", __package__)
    task: Task[Any, Any, Any, Any] = module.TASKS[name]
    return task
