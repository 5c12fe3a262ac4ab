"""The results of the linkers: the long form of an acronym, and the concept that a phrase names."""

from typing import Literal, NamedTuple

AnswerSource = Literal["definition", "document", "folder", "dictionary", "llm", "nil"]
"""Where the long form of an acronym comes from.

- ``definition``: the text defines the acronym.
- ``document``: the text contains the long form, but doesn't define the acronym.
- ``folder``: another document, such as one in the same folder, defines the acronym or contains its
  long form.
- ``dictionary``: the dictionary lists the long form.
- ``llm``: a language model chose the long form.
- ``nil``: the acronym was not resolved.
"""

NIL = "NIL"
"""The `kb_id_` of the span of an acronym that was not resolved, as in spaCy's entity linker."""


NOT_LISTED = "the dictionary has no long form for it"
"""Explanation that users see for an unresolved acronym that has no candidates at all."""

NOTHING_STANDS_OUT = "all the evidence combined, with no single decisive reason"
"""Explanation that users see for an answer for which no single reason is decisive."""


class Resolution(NamedTuple):
    """The long form of an acronym at one place in a text, with its probability and its source.

    Attributes:
        acronym: The acronym as it is written in the text.
        long_form: The long form. None if the acronym was not resolved (`source` is ``"nil"``).
        probability: Probability that the long form is right (0 to 1).
        source: Where the long form comes from, such as the text itself or the dictionary.
        candidates: All ``(long form, probability)`` pairs that were considered, most probable
            first. The chosen long form is one of them.
        reasons: Reasons for the long form, as phrases to show to a user.
        document: Path of the other document that has the long form, if `source` is ``"folder"``.
            Empty otherwise.
        gloss: A short description of the long form, such as ``"handle of an open file in Unix"``.
            Empty if the dictionary has none.
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
        """Create the resolution of an acronym that the text itself defines.

        Args:
            acronym: The acronym as it is written in the text.
            long_form: The long form as it is written in the text.
            confidence: Probability that the definition was read correctly (0 to 1).

        Returns:
            A resolution with the source ``"definition"``. In both forms, each run of white space
            becomes a single space.
        """
        acronym, long_form = (" ".join(words.split()) for words in (acronym, long_form))
        return cls(acronym, long_form, confidence, "definition", ((long_form, confidence),))

    @property
    def kb_id(self) -> str:
        """Value for the `kb_id_` of a span: the long form, or ``"NIL"`` if it is unknown."""
        return NIL if self.long_form is None else self.long_form

    @property
    def why(self) -> tuple[str, ...]:
        """Phrases that explain the answer to a user, most decisive first. It is never empty."""
        if self.source == "definition":
            return ("the document defines it",)
        if self.source == "nil":
            if not self.candidates:
                return self.reasons or (NOT_LISTED,)
            best, probability = self.candidates[0]
            return (f"'{best}' is not likely enough: {probability:.2f}",)
        document = (f"according to {self.document}",) if self.document else ()
        return (*document, *self.reasons) or (NOTHING_STANDS_OUT,)

    @property
    def runners_up(self) -> tuple[tuple[str, float], ...]:
        """The ``(long form, probability)`` pairs that were not chosen, most probable first."""
        return tuple(pair for pair in self.candidates if pair[0] != self.long_form)


class ConceptCandidate(NamedTuple):
    """A concept of an inventory that a phrase may name.

    Attributes:
        concept: Id of the concept in the inventory, such as ``"D001249"``.
        name: Preferred name of the concept, such as ``"Asthma"``.
        probability: Probability that the phrase names the concept (0 to 1).
    """

    concept: str
    name: str
    probability: float


class ConceptLink(NamedTuple):
    """The concept that a phrase in a text names, with its probability.

    Attributes:
        phrase: The phrase as it is written in the text.
        concept: Id of the concept. None if no concept is probable enough.
        name: Preferred name of the concept. None if no concept is probable enough.
        probability: Probability that the phrase names the concept (0 to 1).
        candidates: All concepts that were considered, most probable first. The chosen concept is
            one of them.
    """

    phrase: str
    concept: str | None
    name: str | None
    probability: float
    candidates: tuple[ConceptCandidate, ...] = ()

    @property
    def kb_id(self) -> str:
        """Value for the `kb_id_` of a span: the id of the concept, or ``"NIL"`` without one."""
        return NIL if self.concept is None else self.concept
