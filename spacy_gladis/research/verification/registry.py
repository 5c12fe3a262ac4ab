"""The systems that can be put to WiC-TSV, by name."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from ...errors import check_names
from ...linking.acrobert import PACKAGED
from ..datasets.wic_tsv import Question
from ..mining.readers import first_words
from ..training.start import find_start
from .systems.bert import BertVerifier
from .systems.cosines import AcroBERTZeroShot, LayerCosineVerifier
from .systems.fasttext import TEXT_WORDS, FastTextVerifier, read_vectors, train_vectors
from .systems.protocol import AlwaysTrue, Verifier

Make = Callable[[], Verifier]

MEAN = "mean"
"""The mean probability of the fine-tuned systems asked for, seed by seed."""

FINE_TUNED = ("bert", "bert-cls", "bert-marked", "bert-joint", "cosines-tuned", "acrobert-tuned")
"""Systems that differ from seed to seed because an encoder learns."""

SEEDED = (*FINE_TUNED, "fasttext")


def make_systems(
    names: Iterable[str],
    train: Sequence[Question],
    *,
    base: str | None = None,
    model: Path | None = None,
    vectors: Path | None = None,
    corpus: Path | None = None,
    **training: Any,
) -> dict[str, Make]:
    """What makes each system anew; `all` stands for every one.

    base: the encoder of the `bert` and `cosines` systems: a folder, `package:NAME` or a name on the
    Hugging Face hub; None: AcroBERT's. model: AcroBERT's folder; None: packaged. vectors: a file of
    word vectors for `fasttext`; else they are trained, on `corpus` and the training set's texts.
    training: of the fine-tuned systems, see `FineTunedVerifier`.
    Raises InputError for an unknown name, or a base or file that is not there.
    """

    acrobert = model or PACKAGED

    @cache
    def start() -> Path:
        return acrobert if base is None else find_start(base)

    @cache
    def word_vectors() -> Any:
        if vectors is not None:
            return read_vectors(vectors)
        texts = chain.from_iterable((one.sense.mention.text, one.sense.sense) for one in train)
        first = first_words(corpus, TEXT_WORDS, str.split) if corpus else ()
        return train_vectors(chain(texts, map(" ".join, first)))

    systems: dict[str, Make] = {
        "always-true": AlwaysTrue,
        "fasttext": lambda: FastTextVerifier(word_vectors()),
        "acrobert": lambda: AcroBERTZeroShot(model),
        "cosines": lambda: LayerCosineVerifier(start(), epochs=0),
        "bert": lambda: BertVerifier(start(), **training),
        "bert-cls": lambda: BertVerifier(start(), pooling="cls", **training),
        "bert-marked": lambda: BertVerifier(start(), marked=True, **training),
        "bert-joint": lambda: BertVerifier(
            start(), pooling="joint", marked=True, named=True, **training
        ),
        "cosines-tuned": lambda: LayerCosineVerifier(start(), **training),
        "acrobert-tuned": lambda: LayerCosineVerifier(acrobert, **training),
    }
    known = [*systems, MEAN]
    wanted = list(dict.fromkeys(names))
    if "all" in wanted:
        wanted = known
    check_names("system", wanted, known)
    if base is not None and any(name.startswith(("bert", "cosines")) for name in wanted):
        start()  # a misspelt base is told before an hour of work
    return {name: systems[name] for name in wanted if name != MEAN}
