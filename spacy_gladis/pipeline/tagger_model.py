"""The architecture `spacy-gladis.AcronymTagger.v1`: one label a token, from context and rules."""

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
"""Columns of `rule_hints`: for each source B-short, I-short, B-long, I-long."""


def make_acronym_tagger(
    tok2vec: Layer, width: int = 96, depth: int = 2, beside: Layer | None = None
) -> Layer:
    """Make the tagger's model.

    tok2vec: vectors of tokens from their context: spaCy's Tok2Vec, or a listener to one or to a
        transformer.
    beside: more such vectors, of a Tok2Vec that sees capitals where the transformer does not.
    width, depth: layers over the vectors and the rules' hints, each of which sees a token more on
        either side.
    Input: documents. Output: for each the probabilities of LABELS, float32 [tokens, labels].
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
    """What the rules find, as columns of numbers beside the tokens' vectors; nothing is learnt."""
    return Model("rule_hints", _forward, dims={"nO": HINT_WIDTH})


def _forward(model: Layer, docs: list[Doc], is_train: bool) -> tuple[list[Floats2d], Backprop]:
    hints = [model.ops.asarray2f(hints_of(doc)) for doc in docs]
    return hints, lambda gradients: []


def hints_of(doc: Doc) -> Any:
    """The hints for a document's tokens, float32 [tokens, HINT_WIDTH]: the rules' confidence.

    A token belongs to a rule's span when they share a character.
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
