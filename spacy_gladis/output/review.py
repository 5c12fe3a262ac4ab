"""Review of acronyms by a person: the questions to ask, and tables of definitions to check."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from spacy.tokens import Doc

from ..dictionary.folder_definitions import FolderDefinitions, FolderEntry
from ..dictionary.tables import format_rows
from ..documents.source import Source
from ..pipeline.annotations import mentions_of
from ..pipeline.ask_folder import Unsure
from ..pipeline.expansion_task import Reply
from ..resolution import Resolution
from ..text import base_form
from .glossary import Place, place_of

NO_ACRONYM, SKIP, QUIT = "-", "s", "q"
_YES, _NO = ("y", "yes", "ok"), ("n", "no")
"""Replies of a reviewer that accept or reject the linker's answer."""


HEADING = ("acronym", "long_form", "count", "note")
"""Columns of a table of definitions that a person reviews.

`count` is the number of documents with the definition. The column `note` is ignored when the table
is used as an overlay.
"""

LLM_COLUMNS = ("source", "place", "context", "ours", "model")
"""Additional columns of a table of definitions, for the answers of a language model.

In rows with the source ``llm``, a person still has to approve the answer.
"""

LLM = "llm"


class Question(NamedTuple):
    """A question to a reviewer about an acronym that a document doesn't define.

    Attributes:
        acronym: The acronym without plural ending and dots.
        place: Place of the acronym's first mention.
        answer: Resolution of the acronym's first mention.
    """

    acronym: str
    place: Place
    answer: Resolution

    def entry(self, reply: str) -> tuple[str, str] | None:
        """Return the dictionary entry that follows from a reviewer's reply.

        Args:
            reply: Text that the reviewer typed. An empty reply or "yes" accepts the linker's
                answer. A number selects a candidate, counted from 1. "-" says that the word isn't
                an acronym. Any other text is the right long form.

        Returns:
            The acronym and its long form, which is empty if the word isn't an acronym. None if the
            reviewer skips the question, quits or says "no", if the selected answer doesn't exist,
            or if the reply has no letters or digits.
        """
        reply = " ".join(reply.split())
        if reply == NO_ACRONYM:
            return self.acronym, ""
        number_typed = reply.strip("().:,# ")
        if number_typed.isdecimal():
            number = int(number_typed)
            is_candidate = 1 <= number <= len(self.answer.candidates)
            return (self.acronym, self.answer.candidates[number - 1][0]) if is_candidate else None
        if reply.lower() in (SKIP, QUIT, *_NO) or (reply and not any(map(str.isalnum, reply))):
            return None
        long_form = self.answer.long_form if reply.lower() in ("", *_YES) else reply
        return (self.acronym, long_form) if long_form else None


def questions(
    name: str, doc: Doc, reviewed: Collection[str], source: Source | None = None
) -> Iterator[Question]:
    """Yield a question for each acronym of a document that a reviewer should check.

    These are the acronyms that the document doesn't define. There is one question for each of them,
    at its first mention.

    Args:
        name: Name of the document.
        doc: Document that a pipeline has annotated.
        reviewed: Acronyms that have been reviewed already. No question is asked about them.
        source: The text that was read from a file, which provides the line numbers in the file.
            None counts the lines in the document's text.

    Yields:
        The questions in text order.
    """
    done = {base_form(acronym) for acronym in reviewed}
    text = doc.text
    for number, (start, end, answer) in enumerate(mentions_of(doc)):
        key = base_form(answer.acronym)
        if key not in done and answer.source != "definition":
            done.add(key)
            yield Question(key, place_of(number, name, text, start, end, source), answer)


def to_table(
    definitions: FolderDefinitions,
    path: Path = Path("learnt.tsv"),
    llm_replies: Iterable[tuple[Unsure, Reply | None]] = (),
) -> str:
    """Return definitions as a table that a person can review and then use as an overlay.

    Args:
        definitions: Definitions that were collected from documents.
        path: Path that the table will be written to. Its suffix decides whether tabs or commas
            separate the columns.
        llm_replies: Acronyms that the linker was unsure of, with the replies of a language model. A
            reply of None leaves the acronym out.

    Returns:
        The text of the table, with a heading. The rows are sorted by acronym, and the meanings of
        an acronym by frequency. The rows of the language model come last.
    """
    meanings: defaultdict[str, list[FolderEntry]] = defaultdict(list)
    for entry in definitions:
        meanings[base_form(entry.acronym)].append(entry)
    llm_rows = [_llm_row(unsure, reply) for unsure, reply in llm_replies if reply]
    lines: list[tuple[str, ...]] = [(*HEADING, *LLM_COLUMNS) if llm_rows else HEADING]
    for entries in meanings.values():
        note = f"{len(entries)} meanings" if len(entries) > 1 else ""
        lines += [(entry.acronym, entry.long_form, str(entry.documents), note) for entry in entries]
    text = format_rows([*lines, *llm_rows], path)
    return text.replace("\t\n", "\n")


def _llm_row(unsure: Unsure, reply: Reply) -> tuple[str, ...]:
    best = unsure.answer.candidates[:1]
    ours = "".join(f"{long_form} ({probability:.2f})" for long_form, probability in best)
    row = (unsure.acronym, reply.long_form, "", "", LLM, unsure.place, unsure.texts[0], ours)
    return (*row, reply.long_form)
