"""What a person looks through: answers, one acronym at a time, and a table of definitions."""

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
"""Replies that are not a long form."""


HEADING = ("acronym", "long_form", "count", "note")
"""`count`: in how many documents. The notes are for the reader: an overlay passes them over."""

ASKED = ("source", "place", "context", "ours", "model")
"""Further columns of what a language model was asked: a row whose source is LLM is not approved."""

LLM = "llm"


class Question(NamedTuple):
    """An acronym that a document does not define, at its first place, and what it may mean."""

    acronym: str
    place: Place
    answer: Resolution

    def entry(self, reply: str) -> tuple[str, str] | None:
        """The own entry that a reply makes: acronym and long form, which is empty for no acronym.

        reply: empty or yes accepts the answer, a number is that of a candidate, from 1 on, another
        text the long form itself. None where the reply says nothing of it: SKIP, QUIT, no, a
        number or an answer that there is not, signs alone.
        """
        reply = " ".join(reply.split())
        if reply == NO_ACRONYM:
            return self.acronym, ""
        number_typed = reply.strip("().:,# ")
        if number_typed.isdecimal():
            number = int(number_typed)
            known = 1 <= number <= len(self.answer.candidates)
            return (self.acronym, self.answer.candidates[number - 1][0]) if known else None
        if reply.lower() in (SKIP, QUIT, *_NO) or (reply and not any(map(str.isalnum, reply))):
            return None
        long_form = self.answer.long_form if reply.lower() in ("", *_YES) else reply
        return (self.acronym, long_form) if long_form else None


def questions(
    name: str, doc: Doc, known: Collection[str], source: Source | None = None
) -> Iterator[Question]:
    """A question for each acronym that the document does not define and that is not `known`.

    source: what the document was read from, whose lines are told.
    """
    asked = {base_form(one) for one in known}
    text = doc.text
    for number, (start, end, answer) in enumerate(mentions_of(doc)):
        key = base_form(answer.acronym)
        if key not in asked and answer.source != "definition":
            asked.add(key)
            yield Question(key, place_of(number, name, text, start, end, source), answer)


def to_table(
    learnt: FolderDefinitions,
    path: Path = Path("learnt.tsv"),
    asked: Iterable[tuple[Unsure, Reply | None]] = (),
) -> str:
    """An entry a line in the order of the acronyms, the commoner meaning first.

    path: whose ending tells what is between the columns, tabs or commas. asked: what a language
    model said of further acronyms; those it did not answer are left out.
    """
    meanings: defaultdict[str, list[FolderEntry]] = defaultdict(list)
    for entry in learnt:
        meanings[base_form(entry.acronym)].append(entry)
    further = [_asked(one, reply) for one, reply in asked if reply]
    lines: list[tuple[str, ...]] = [(*HEADING, *ASKED) if further else HEADING]
    for entries in meanings.values():
        note = f"{len(entries)} meanings" if len(entries) > 1 else ""
        lines += [(one.acronym, one.long_form, str(one.documents), note) for one in entries]
    text = format_rows([*lines, *further], path)
    return text.replace("\t\n", "\n")


def _asked(unsure: Unsure, reply: Reply) -> tuple[str, ...]:
    best = unsure.answer.candidates[:1]
    ours = "".join(f"{long_form} ({probability:.2f})" for long_form, probability in best)
    row = (unsure.acronym, reply.long_form, "", "", LLM, unsure.place, unsure.texts[0], ours)
    return (*row, reply.long_form)
