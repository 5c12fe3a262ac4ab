"""The architecture `spacy-gladis.AcronymTagger.v1`, which labels tokens by context and rules."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from spacy.tokens import Doc
from thinc.api import (
    Maxout,
    Model,
    Softmax_v2,
    chain,
    clone,
    concatenate,
    expand_window,
    residual,
    with_array,
)
from thinc.types import Floats2d

from ..text.hints import SOURCES, find_hints
from .tags import LABELS

Layer = Model[list[Doc], list[Floats2d]]
Backprop = Callable[[list[Floats2d]], list[Doc]]

HINT_WIDTH = 4 * len(SOURCES)
"""Number of columns of `rule_hints`: B-short, I-short, B-long and I-long for each source."""


def make_acronym_tagger(
    tok2vec: Layer, width: int = 96, depth: int = 2, beside: Layer | None = None
) -> Layer:
    """Create the tagger's model.

    The model's input is documents. Its output is, for each, the probabilities of LABELS, float32
    [tokens, labels].

    Args:
        tok2vec: Layer that gives vectors of tokens in context: spaCy's Tok2Vec, or a listener to a
            Tok2Vec or a transformer.
        width: Width of the layers over the vectors and the rules' hints.
        depth: Number of these layers. Each sees one more token on either side.
        beside: Layer that gives further vectors, such as a Tok2Vec that sees capitals where the
            transformer doesn't.

    Returns:
        The model.
    """
    layer: Model[Floats2d, Floats2d] = chain(
        expand_window(1), Maxout(nO=width, nI=3 * width, nP=3, dropout=0.0, normalize=True)
    )
    head: Model[Floats2d, Floats2d] = chain(
        Maxout(nO=width, nP=3, dropout=0.0, normalize=True),
        clone(residual(layer), depth),
        Softmax_v2(nO=len(LABELS), nI=width),
    )
    vectors = [tok2vec, beside] if beside else [tok2vec]
    return cast(Layer, chain(concatenate(*vectors, rule_hints()), with_array(head)))


def rule_hints() -> Layer:
    """Create a layer that turns the rules' findings into feature columns; it has no weights.

    Returns:
        The layer. Its output is described by `hints_of`.
    """
    return Model("rule_hints", _forward, dims={"nO": HINT_WIDTH})


def _forward(model: Layer, docs: list[Doc], is_train: bool) -> tuple[list[Floats2d], Backprop]:
    hints = [model.ops.asarray2f(hints_of(doc)) for doc in docs]
    return hints, lambda gradients: []


def hints_of(doc: Doc) -> Any:
    """Return the rules' confidence for each token of a document.

    A token belongs to a rule's span if they share a character.

    Args:
        doc: The document.

    Returns:
        The confidence, 0 to 1, in float32 [tokens, HINT_WIDTH].
    """
    hints = np.zeros((len(doc), HINT_WIDTH), dtype="float32")
    starts = [token.idx for token in doc]
    ends = [token.idx + len(token) for token in doc]
    for source, short, start, end, confidence in find_hints(doc.text):
        first, last = bisect_right(ends, start), bisect_left(starts, end)
        column = 4 * SOURCES.index(source) + (0 if short else 2)
        hints[first : first + 1, column] = confidence
        hints[first + 1 : last, column + 1] = confidence
    return hints
