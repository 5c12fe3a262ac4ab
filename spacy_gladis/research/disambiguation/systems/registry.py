"""The systems for disambiguation, by name."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from ....errors import GladisError, InputError, check_names, missing_extra
from .acrobert import AcroBERTScorer, Combined, FinetunedAcroBERT
from .bert import BERTEmbedding
from .counting import BM25, FirstCandidate, MostFrequent, Popularity
from .gad import GAD
from .protocol import Baseline, Table
from .words import AcronymClassifier, FastText, SenseVectors


@dataclass(frozen=True)
class Resources:
    """What systems are made with; each takes what it needs.

    table: the candidates of each acronym. model: AcroBERT's folder, None for the packaged one.
    bert: a BERT's folder or name. parser: a spaCy pipeline with a parser, by folder or name.
    text: raw text for word vectors. seed: of everything random.
    """

    table: Table = field(default_factory=dict)
    model: Path | None = None
    bert: str | None = None
    parser: str | None = None
    text: Path | None = None
    seed: int = 0


_PARSER = {
    "parser": "--parser: a spaCy pipeline with a dependency parser, installed or the folder that "
    "'spacy project run parser' writes"
}
_BERT = {"bert": "--bert: the folder or the name of a BERT"}

SYSTEMS: dict[str, Callable[[Resources], Baseline]] = {
    "first": lambda of: FirstCandidate(),
    "most-frequent": lambda of: MostFrequent(),
    "popularity": lambda of: Popularity(),
    "bm25": lambda of: BM25(of.table),
    "classifier": lambda of: AcronymClassifier(of.seed),
    "fasttext": lambda of: FastText(of.table, of.text, of.seed),
    "sense-vectors": lambda of: SenseVectors(of.seed),
    "bert-embedding": lambda of: BERTEmbedding(str(of.bert)),
    "bilstm": lambda of: GAD(str(of.parser), of.seed, of.bert, graph=False),
    "gad": lambda of: GAD(str(of.parser), of.seed, of.bert),
    "retriever": lambda of: AcroBERTScorer.load(of.model),
    "combined": lambda of: Combined.load(of.table, of.model),
    "finetuned": lambda of: FinetunedAcroBERT(of.table, of.model, of.bert, of.seed),
}
PACKAGES = {
    "bm25": ("bm25s",),
    "classifier": ("sklearn",),
    "fasttext": ("gensim",),
    "sense-vectors": ("gensim",),
    "bert-embedding": ("transformers",),
    "combined": ("bm25s",),
    "finetuned": ("bm25s", "sklearn"),
}
"""What the extra `evaluation` brings for a system."""

REQUIRED = {"bert-embedding": _BERT, "bilstm": _PARSER, "gad": _PARSER}
"""Of a system's resources what has no default, with what to give."""


def lacks(name: str, resources: Resources) -> GladisError | None:
    """What is missing to make a system, as the error to raise; None where all is there."""
    for package in PACKAGES.get(name, ()):
        if find_spec(package) is None:
            return missing_extra(package, "evaluation")
    for resource, advice in REQUIRED.get(name, {}).items():
        if getattr(resources, resource) is None:
            return InputError(f"The system '{name}' needs {advice}.")
    return None


def find_systems(names: Iterable[str], resources: Resources) -> tuple[list[str], dict[str, str]]:
    """The systems of these names, in their order and each once; `all` stands for every one.

    Returns the names, and for those that `all` leaves out the reason. Raises InputError for an
    unknown name, and for a system asked for by name what it lacks.
    """
    wanted = list(dict.fromkeys(names))
    check_names("system", wanted, ["all", *SYSTEMS])
    lacking = {name: error for name in SYSTEMS if (error := lacks(name, resources))}
    for name in wanted:
        if name in lacking:
            raise lacking[name]
    if "all" not in wanted:
        return wanted, {}
    left_out = {name: str(error) for name, error in lacking.items()}
    return [name for name in SYSTEMS if name not in left_out], left_out
