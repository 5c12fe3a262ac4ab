"""Review of answers by a person: questions about acronyms, and a table of definitions."""

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
"""Replies that accept or reject the linker's answer."""


HEADING = ("acronym", "long_form", "count", "note")
"""Columns of the table.

`count` is the number of documents with this definition. The column `note` is ignored when the table
is used as an overlay.
"""

LLM_COLUMNS = ("source", "place", "context", "ours", "model")
"""Additional columns for the answers of a language model.

Rows with the source LLM still need approval by a person.
"""

LLM = "llm"


class Question(NamedTuple):
    """A question to a reviewer about an acronym that a document doesn't define.

    Attributes:
        acronym: The acronym's base form.
        place: The place of its first mention.
        answer: The resolution of its first mention.
    """

    acronym: str
    place: Place
    answer: Resolution

    def entry(self, reply: str) -> tuple[str, str] | None:
        """Return the user entry that results from the reviewer's reply.

        Args:
            reply: The reply. An empty reply or "yes" accepts the answer, a number from 1 selects a
                candidate, NO_ACRONYM says that the word isn't an acronym, and any other text is the
                long form.

        Returns:
            The acronym and its long form, which is empty if the word isn't an acronym. None for
            SKIP, QUIT and "no", if the answer or the chosen candidate doesn't exist, and for
            replies without letters or digits.
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
    """Yield a question for each acronym that a reviewer should check.

    Args:
        name: The document's name.
        doc: The annotated document.
        reviewed: Acronyms that were reviewed already, which are left out.
        source: The source that the document was read from, which provides the line numbers.

    Yields:
        The questions about acronyms that the document doesn't define, in text order.
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
    """Return a table of definitions, sorted by acronym and then by how frequent a meaning is.

    Args:
        definitions: The definitions.
        path: Path of the table. The suffix decides whether columns are separated by tabs or commas.
        llm_replies: Other acronyms with the replies of a language model. Acronyms without a reply
            are left out.

    Returns:
        The text of the table.
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
