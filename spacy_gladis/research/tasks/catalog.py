"""Catalog of the evaluation tasks. A task's module is imported when the task is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import check_names

if TYPE_CHECKING:
    from .task import Task


class Listing(NamedTuple):
    """Description of an evaluation task in the catalog.

    Attributes:
        folder: Name of the subfolder of `tasks` that implements the task.
        summary: A sentence that says what the task evaluates.
        example: Arguments of an example command, without `spacy-gladis evaluate` and the task's
            name.
    """

    folder: str
    summary: str
    example: str

    def help(self, name: str) -> str:
        """Return the help text of the command that runs the task.

        Args:
            name: Name of the task, such as "bioc".

        Returns:
            The task's summary, an empty line, and an example command.
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
        "Evaluate finding definitions of acronyms in abstracts: precision, recall and F1.",
        "Ab3P_bioc_gold.xml --system find_definitions",
    ),
    "cometa": Listing(
        "linking",
        "Evaluate linking of phrases to concepts: Acc@1, Acc@10 and MRR.",
        "cometa/ --inventory snomed.concepts --system s",
    ),
    "wic-tsv": Listing(
        "verification",
        "Evaluate whether a word has a given sense in its context: accuracy and F1.",
        "wic-tsv/data/en --system bert --task 3 --seeds 3 --output wic.jsonl",
    ),
    "memorization": Listing(
        "memorization",
        "Evaluate labelling of texts and tokens, by their similarity to the training set.",
        "aimed/ --system bilstm --seeds 10 --by-similarity --output aimed.jsonl",
    ),
    "texts": Listing(
        "texts",
        "Evaluate finding and resolving acronyms in whole texts, with reasons for errors.",
        "passages/dev.jsonl --predictions answers --output texts.jsonl",
    ),
    "search": Listing(
        "search",
        "Evaluate document search with acronyms and their long forms: recall@10 and MRR.",
        "documents/dev.jsonl --system bm25 --output search.jsonl",
    ),
}
"""Descriptions of all tasks by name. The tasks themselves are in `TASKS` of each folder's
`task.py`."""


def find_task(name: str) -> "Task[Any, Any, Any, Any]":
    """Import the module of an evaluation task and return the task.

    Args:
        name: Name of the task, which is a key of `LISTINGS`.

    Returns:
        The task with its reader, metric and systems.

    Raises:
        InputError: If there is no task of this name. The message lists all names.
    """
    check_names("task", [name], LISTINGS)
    module = import_module(f".{LISTINGS[name].folder}.task", __package__)
    task: Task[Any, Any, Any, Any] = module.TASKS[name]
    return task
