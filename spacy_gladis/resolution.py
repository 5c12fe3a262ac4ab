"""What is said of one mention: its long form, or its concept."""

from typing import Literal, NamedTuple

AnswerSource = Literal["definition", "document", "folder", "dictionary", "llm", "nil"]
"""Defined in the text; spelt out in it without a definition; defined in documents beside it; of
the dictionary; said by a language model; not known."""

NIL = "NIL"
"""The `kb_id_` of a mention that is not known, as in spaCy's entity linker."""


NOT_LISTED = "nothing in the dictionary"
"""Why there is no answer where there are no candidates."""

NOTHING_STANDS_OUT = "all evidence together, none of it decides alone"
"""Why an answer was chosen where no single reason is known."""


class Resolution(NamedTuple):
    """A mention's long form, how sure it is (0..1), where it comes from, and the runners-up.

    `long_form` is None when the source is "nil". `candidates` holds `(long form, probability)`
    pairs, best first, the chosen one included. `reasons` name the evidence. `document` is the path
    of the document that defines the acronym, where the source is "folder". `gloss` says what the
    thing is, where the dictionary knows it: "handle of an open file in Unix".
    """

    acronym: str
    long_form: str | None
    probability: float
    source: AnswerSource
    candidates: tuple[tuple[str, float], ...] = ()
    reasons: tuple[str, ...] = ()
    document: str = ""
    gloss: str = ""

    @classmethod
    def defined(cls, acronym: str, long_form: str, confidence: float = 1.0) -> "Resolution":
        """That of an acronym which the text itself explains with these words."""
        acronym, long_form = (" ".join(words.split()) for words in (acronym, long_form))
        return cls(acronym, long_form, confidence, "definition", ((long_form, confidence),))

    @property
    def kb_id(self) -> str:
        """The long form or NIL: what the span's `kb_id_` holds."""
        return NIL if self.long_form is None else self.long_form

    @property
    def why(self) -> tuple[str, ...]:
        """What decided the answer, in words, most decisive first; never empty."""
        if self.source == "definition":
            return ("the document defines it",)
        if self.source == "nil":
            if not self.candidates:
                return self.reasons or (NOT_LISTED,)
            best, probability = self.candidates[0]
            return (f"'{best}' is not likely enough: {probability:.2f}",)
        document = (f"{self.document} says so",) if self.document else ()
        return (*document, *self.reasons) or (NOTHING_STANDS_OUT,)

    @property
    def runners_up(self) -> tuple[tuple[str, float], ...]:
        """The candidates that were not chosen."""
        return tuple(pair for pair in self.candidates if pair[0] != self.long_form)


class ConceptCandidate(NamedTuple):
    """A concept's id, its preferred name, and its probability, 0..1."""

    concept: str
    name: str
    probability: float


class ConceptLink(NamedTuple):
    """A phrase's concept with its preferred name, how sure it is (0..1), and all candidates.

    `concept` and `name` are None where no concept is likely enough. `candidates` are the best
    first, the chosen one included.
    """

    phrase: str
    concept: str | None
    name: str | None
    probability: float
    candidates: tuple[ConceptCandidate, ...] = ()

    @property
    def kb_id(self) -> str:
        """The concept's id or NIL: what the span's `kb_id_` holds."""
        return NIL if self.concept is None else self.concept
