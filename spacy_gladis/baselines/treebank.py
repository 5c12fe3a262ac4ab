"""A tagger and dependency parser out of a treebank, with spaCy's own training."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import FormatError, InputError

PARTS = ("train", "dev", "test")
SENTENCES = 10
"""Sentences joined into one document, so that the parser learns where sentences end."""

SCORES = ("token_acc", "tag_acc", "dep_uas", "dep_las", "sents_f")


@dataclass(frozen=True)
class ParserSettings:
    """steps: of training, each a batch of at most 1,000 words. evaluate_every: in steps. patience:
    steps without a better score on the development set before the training ends."""

    steps: int = 1000
    evaluate_every: int = 250
    patience: int = 800
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.steps, self.evaluate_every) < 1:
            raise InputError("A training needs at least 1 step and at least 1 between evaluations.")


def train_parser(
    treebank: Path, output: Path, settings: ParserSettings | None = None, language: str = "en"
) -> dict[str, float]:
    """Train on a Universal Dependencies folder and write the best pipeline to `output`.

    treebank: holds one `*-train.conllu`, one `*-dev.conllu` and maybe one `*-test.conllu`.
    The progress is spaCy's own, on standard error. Returns the scores on the test part, or on the
    development part where there is none; shares in 0..1. Raises InputError without the parts,
    FormatError where one is no CoNLL-U.
    """
    from spacy.cli.init_config import init_config
    from spacy.tokens import DocBin
    from spacy.training.initialize import init_nlp
    from spacy.training.loop import train
    from spacy.util import load_model

    settings = settings or ParserSettings()
    files = find_parts(treebank)
    config: Any = init_config(lang=language, pipeline=["tagger", "parser"])
    with TemporaryDirectory(prefix="spacy-gladis-") as folder:
        for part, file in files.items():
            documents = DocBin(docs=read_conllu(file), store_user_data=True)
            documents.to_disk(Path(folder) / f"{part}.spacy")
        config["paths"].update({part: str(Path(folder) / f"{part}.spacy") for part in PARTS[:2]})
        config["training"].update(
            max_steps=settings.steps,
            eval_frequency=settings.evaluate_every,
            patience=settings.patience,
            seed=settings.seed,
            score_weights={"tag_acc": 0.5, "dep_las": 0.5},
        )
        run = Path(folder) / "run"
        run.mkdir()
        with redirect_stdout(sys.stderr):
            train(init_nlp(config), run, stdout=sys.stderr)
        nlp = load_model(run / "model-best")
        nlp.to_disk(output)
        scores = nlp.evaluate(_examples(nlp, Path(folder) / f"{list(files)[-1]}.spacy"))
    return {name: round(float(scores[name]), 4) for name in SCORES}


def find_parts(treebank: Path) -> dict[str, Path]:
    """The files of a treebank by part; training and development must be there."""
    found = {}
    for part in PARTS:
        files = sorted(treebank.glob(f"*{part}.conllu"))
        if len(files) == 1:
            found[part] = files[0]
        elif part != "test" or files:
            raise InputError(
                f"{treebank} holds {len(files)} files *{part}.conllu: expected one, as the folders "
                "of Universal Dependencies have it."
            )
    return found


def read_conllu(path: Path) -> Sequence[Any]:
    """The documents of a CoNLL-U file, a few sentences each, tags from its column XPOS."""
    from spacy.training import converters

    convert: Any = converters.conllu_to_docs  # type: ignore[attr-defined]
    try:
        documents = list(convert(path.read_text("utf8"), n_sents=SENTENCES, no_print=True))
    except (ValueError, IndexError, KeyError) as error:
        raise FormatError(f"{path} is no CoNLL-U file: {error!r}.") from error
    if not documents:
        raise FormatError(f"{path} holds no sentence.")
    return documents


def _examples(nlp: Any, path: Path) -> list[Any]:
    from spacy.tokens import DocBin
    from spacy.training import Example

    gold = DocBin().from_disk(path).get_docs(nlp.vocab)
    return [Example(nlp.make_doc(document.text), document) for document in gold]
