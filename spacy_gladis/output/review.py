"""Answers for a person to accept, to correct or to pass over, one acronym at a time."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from spacy.tokens import Doc

from ..documents.source import Source
from ..pipeline.annotations import mentions_of
from ..resolution import Resolution
from ..rules import base_form
from .glossary import Place, place_of

NO_ACRONYM, SKIP, QUIT = "-", "s", "q"
"""Replies that are not a long form."""


class Question(NamedTuple):
    """An acronym that a document does not define, at its first place, and what it may mean."""

    acronym: str
    place: Place
    answer: Resolution

    def entry(self, reply: str) -> tuple[str, str] | None:
        """The own entry that a reply makes: acronym and long form, which is empty for no acronym.

        reply: empty accepts the answer, a number is that of a candidate, from 1 on, another text
        the long form itself. None where the reply says nothing of it: SKIP, QUIT, a number or
        an answer that there is not.
        """
        reply = " ".join(reply.split())
        if reply == NO_ACRONYM:
            return self.acronym, ""
        if reply.isdecimal():
            number = int(reply)
            known = 1 <= number <= len(self.answer.candidates)
            return (self.acronym, self.answer.candidates[number - 1][0]) if known else None
        if reply in (SKIP, QUIT):
            return None
        long_form = reply or self.answer.long_form
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
