"""The architecture `spacy-gladis.AcronymTagger.v1`: a model that tags acronyms and long forms.

It labels each token from two inputs: the vector of the token in its context, and the spans that
hand-written rules propose as acronyms and long forms.
"""

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
"""Number of columns that `rule_hints` computes for a token: B-short, I-short, B-long and I-long for
each kind of rule."""


def make_acronym_tagger(
    tok2vec: Layer, width: int = 96, depth: int = 2, beside: Layer | None = None
) -> Layer:
    """Create the thinc model that labels tokens as parts of acronyms or of long forms.

    The input of the model is a list of documents. Its output is an array for each document with the
    probability of each label in `LABELS` for each token, float32 [tokens, labels].

    Args:
        tok2vec: Layer that computes a vector for each token in its context: spaCy's Tok2Vec, or a
            listener to a Tok2Vec or a transformer.
        width: Width of the layers that read the token vectors and the proposals of the rules.
        depth: Number of these layers. Each layer lets a token see one more token on either side.
        beside: Additional layer that computes token vectors, for example a Tok2Vec that
            distinguishes capital letters where the transformer doesn't. None if there is no such
            layer.

    Returns:
        The thinc model, which isn't initialized yet.
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
    """Create a thinc layer that turns the spans proposed by rules into feature columns.

    The layer has no weights to train.

    Returns:
        The layer. Its output for a document is the array that `hints_of` returns.
    """
    return Model("rule_hints", _forward, dims={"nO": HINT_WIDTH})


def _forward(model: Layer, docs: list[Doc], is_train: bool) -> tuple[list[Floats2d], Backprop]:
    hints = [model.ops.asarray2f(hints_of(doc)) for doc in docs]
    return hints, lambda gradients: []


def hints_of(doc: Doc) -> Any:
    """Return how confident the rules are that each token belongs to an acronym or a long form.

    A token belongs to a span that a rule proposes if the two share at least one character.

    Args:
        doc: The document whose text the rules search.

    Returns:
        The confidences, between 0 and 1, as a float32 array of the shape [tokens, HINT_WIDTH]. The
        value is 0 for tokens outside the proposed spans.
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
