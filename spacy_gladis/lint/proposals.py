"""Long forms for undefined acronyms, by the linker."""

from collections.abc import Mapping
from typing import Final

from spacy.language import Language

from ..documents.source import Source
from ..pipeline.annotations import place_of
from .run import Propose

LEAST_PROBABILITY: Final = 0.5
"""Of a proposal. A person looks at it, so it may be less sure than an answer."""


def propose_with(nlp: Language) -> Propose:
    """Return a function that looks the acronyms of a text up with a pipeline.

    Args:
        nlp: A pipeline with a linker, whose threshold decides what is proposed.
    """

    def propose(source: Source) -> Mapping[int, tuple[str, float]]:
        proposals = {}
        for span in nlp(source.text)._.acronyms:
            if (answer := span._.resolution) and answer.long_form:
                proposals[place_of(span)[0]] = (answer.long_form, answer.probability)
        return proposals

    return propose
