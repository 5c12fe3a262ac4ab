"""Long forms that the linker proposes for the undefined acronyms that the linter reports."""

from collections.abc import Mapping
from typing import Final

from spacy.language import Language

from ..documents.source import Source
from ..pipeline.annotations import mentions_of
from .run import Propose

LEAST_PROBABILITY: Final = 0.5
"""Lowest probability of a proposed long form. It is low because a person checks each proposal."""


def propose_with(nlp: Language) -> Propose:
    """Return a function that proposes long forms for acronyms, based on a pipeline's answers.

    Args:
        nlp: Pipeline with a detector and a linker. It proposes the long forms that reach the
            linker's threshold.

    Returns:
        A function that takes a document. It returns a mapping from the character offset of each
        resolved acronym in the document's text to the long form and its probability.
    """

    def propose(source: Source) -> Mapping[int, tuple[str, float]]:
        proposals: dict[int, tuple[str, float]] = {}
        for start, _, answer in mentions_of(nlp(source.text)):
            if answer.long_form:
                proposals[start] = (answer.long_form, answer.probability)
        return proposals

    return propose
