"""A field of knowledge that somebody says a text is of, in terms of the topics."""

from collections.abc import Mapping

import numpy as np

from ..arrays import Floats
from ..dictionary import SourceInfo
from .topics import Topics

STATED = 5.0
"""How many acronyms it weighs as much as, that somebody says what a text is."""


def stated_topics(field: str, topics: Topics, sources: Mapping[str, SourceInfo]) -> Floats:
    """What a stated field adds to a document's topics, [topics]; its sum is STATED.

    A topic has the part of its prior that its source is of the field; where none is of it, nothing
    is added.
    """
    shares = fields_of_topics(field, topics, sources) * topics.prior
    added: Floats = STATED * shares / max(float(shares.sum()), 1e-6)
    return added


def fields_of_topics(field: str, topics: Topics, sources: Mapping[str, SourceInfo]) -> Floats:
    """How far each topic's source is of a field, 0..1, [topics]."""
    found = (
        sources[name].fields.get(field, 0.0) if name in sources else 0.0 for name in topics.names
    )
    return np.fromiter(found, np.float32, len(topics))
