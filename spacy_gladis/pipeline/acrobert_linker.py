"""The component `acrobert_linker`: tells what each acronym means in its document."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import srsly
from spacy import util
from spacy.language import Language
from spacy.pipeline.trainable_pipe import TrainablePipe
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.vocab import Vocab
from thinc.api import Config, Model, Optimizer, set_dropout_rate

from ..errors import FormatError, InputError
from .annotations import ACRONYMS, acronym_text, definition_of, install_extensions, span_key
from .annotations import long_form_text
from .resolution import NIL, Resolution

Scorer = Callable[[Iterable[Example]], dict[str, Any]]

DEFAULT_MODEL = Config().from_str(
    """
[model]
@architectures = "spacy-gladis.AcroBERT.v1"
path = null
"""
)["model"]


@Language.factory(
    "acrobert_linker",
    requires=["doc.spans"],
    assigns=["doc.spans"],
    default_config={
        "model": DEFAULT_MODEL,
        "spans_key": ACRONYMS,
        "dictionary": None,
        "threshold": 0.5,
        "top_k": 5,
        "scorer": {"@scorers": "spacy-gladis.acrobert_linker_scorer.v1"},
    },
    default_score_weights={"acronym_links_accuracy": 1.0, "acronym_links_macro_f1": 0.0},
)
def make_acrobert_linker(
    nlp: Language,
    name: str,
    model: Model,
    spans_key: str,
    dictionary: str | None,
    threshold: float,
    top_k: int,
    scorer: Scorer | None,
) -> TrainablePipe:
    raise NotImplementedError
