"""Long forms that the linker proposes for undefined acronyms."""

from collections.abc import Mapping
from typing import Final

from spacy.language import Language

from ..documents.source import Source
from ..pipeline.annotations import place_of
from .run import Propose

LEAST_PROBABILITY: Final = 0.5
"""Lowest probability of a proposal. It can be low because a person checks each proposal."""


def propose_with(nlp: Language) -> Propose:
    """Return a function that proposes long forms for the acronyms in a document.

    Args:
        nlp: A pipeline with a linker. The linker's threshold decides what is proposed.

    Returns:
        A function that takes a document and returns a mapping from the character offset of each
        acronym to a long form and its probability.
    """

    def propose(source: Source) -> Mapping[int, tuple[str, float]]:
        proposals = {}
        for span in nlp(source.text)._.acronyms:
            if (answer := span._.resolution) and answer.long_form:
                proposals[place_of(span)[0]] = (answer.long_form, answer.probability)
        return proposals

    return propose
