"""The results of resolving an acronym and of linking a phrase to a concept."""

from typing import Literal, NamedTuple

AnswerSource = Literal["definition", "document", "folder", "dictionary", "llm", "nil"]
"""The source of a mention's long form.

- ``definition``: the text defines the acronym.
- ``document``: the text contains the long form, but doesn't define the acronym.
- ``folder``: another document of the same folder defines the acronym.
- ``dictionary``: the dictionary lists the long form.
- ``llm``: a language model chose the long form.
- ``nil``: the acronym was not resolved.
"""

NIL = "NIL"
"""The `kb_id_` of a mention that was not resolved, as in spaCy's entity linker."""


NOT_LISTED = "nothing in the dictionary"
"""Explanation for a mention without an answer because it has no candidates."""

NOTHING_STANDS_OUT = "all evidence together, none of it decides alone"
"""Explanation for an answer that has no single decisive reason."""


class Resolution(NamedTuple):
    """The answer for a mention: its long form, with a probability and a source.

    Attributes:
        acronym: The acronym as the text spells it.
        long_form: The long form. None if `source` is ``"nil"``.
        probability: Probability that the long form is right (0 to 1).
        source: Where the long form comes from.
        candidates: All ``(long form, probability)`` pairs, most probable first, including the
            chosen one.
        reasons: Reasons for the long form, as phrases to show to a user.
        document: Path of the document that defines the acronym, if `source` is ``"folder"``.
        gloss: A short description of the long form, such as ``"handle of an open file in Unix"``,
            if the dictionary has one.
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
    def from_definition(cls, acronym: str, long_form: str, confidence: float = 1.0) -> "Resolution":
        """Create the resolution of an acronym that the text defines.

        Args:
            acronym: The acronym as the text spells it.
            long_form: The long form as the text spells it.
            confidence: Probability that the definition is right (0 to 1).

        Returns:
            A resolution with the source ``"definition"``. Runs of white space in both forms are
            replaced by a single space.
        """
        acronym, long_form = (" ".join(words.split()) for words in (acronym, long_form))
        return cls(acronym, long_form, confidence, "definition", ((long_form, confidence),))

    @property
    def kb_id(self) -> str:
        """Value for the span's `kb_id_`: the long form, or `NIL` if there is none."""
        return NIL if self.long_form is None else self.long_form

    @property
    def why(self) -> tuple[str, ...]:
        """Phrases that explain the answer, most decisive first. There is always at least one."""
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
        """The ``(long form, probability)`` pairs that were not chosen, most probable first."""
        return tuple(pair for pair in self.candidates if pair[0] != self.long_form)


class ConceptCandidate(NamedTuple):
    """A concept that a phrase may name.

    Attributes:
        concept: Id of the concept.
        name: Preferred name of the concept.
        probability: Probability that the phrase names the concept (0 to 1).
    """

    concept: str
    name: str
    probability: float


class ConceptLink(NamedTuple):
    """The concept that a phrase names, with its probability.

    Attributes:
        phrase: The phrase as the text spells it.
        concept: Id of the concept. None if no concept is probable enough.
        name: Preferred name of the concept. None if no concept is probable enough.
        probability: Probability that the phrase names the concept (0 to 1).
        candidates: All candidates, most probable first, including the chosen one.
    """

    phrase: str
    concept: str | None
    name: str | None
    probability: float
    candidates: tuple[ConceptCandidate, ...] = ()

    @property
    def kb_id(self) -> str:
        """Value for the span's `kb_id_`: the id of the concept, or `NIL` if there is none."""
        return NIL if self.concept is None else self.concept
