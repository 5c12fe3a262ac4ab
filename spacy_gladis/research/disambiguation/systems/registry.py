"""The systems for disambiguation, by name."""

from collections.abc import Callable, Iterable, Mapping
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


@dataclass(frozen=True)
class System:
    """A system that `make` makes. packages: what the extra `evaluation` brings for it. required: of
    its resources, what has no default, with what to give."""

    about: str
    make: Callable[[Resources], Baseline]
    packages: tuple[str, ...] = ()
    required: Mapping[str, str] = field(default_factory=dict)

    def lacks(self, resources: Resources) -> GladisError | None:
        """What is missing to make it, as the error to raise; None where all is there."""
        for package in self.packages:
            if find_spec(package) is None:
                return missing_extra(package, "evaluation")
        for name, advice in self.required.items():
            if getattr(resources, name) is None:
                return InputError(f"{self.about} needs {advice}.")
        return None


_PARSER = {
    "parser": "--parser: a spaCy pipeline with a dependency parser, installed or the folder that "
    "'spacy project run parser' writes"
}
_BERT = {"bert": "--bert: the folder or the name of a BERT"}

SYSTEMS: dict[str, System] = {
    "first": System("The first candidate", lambda of: FirstCandidate()),
    "most-frequent": System("The long form most frequent in training", lambda of: MostFrequent()),
    "popularity": System("The largest count in the dictionary", lambda of: Popularity()),
    "bm25": System("BM25", lambda of: BM25(of.table), ("bm25s",)),
    "classifier": System(
        "One classifier an acronym", lambda of: AcronymClassifier(of.seed), ("sklearn",)
    ),
    "fasttext": System("FastText", lambda of: FastText(of.table, of.text, of.seed), ("gensim",)),
    "sense-vectors": System("Sense vectors", lambda of: SenseVectors(of.seed), ("gensim",)),
    "bert-embedding": System(
        "BERT's embedding", lambda of: BERTEmbedding(str(of.bert)), ("transformers",), _BERT
    ),
    "bilstm": System(
        "GAD without its graph",
        lambda of: GAD(str(of.parser), of.seed, of.bert, graph=False),
        required=_PARSER,
    ),
    "gad": System("GAD", lambda of: GAD(str(of.parser), of.seed, of.bert), required=_PARSER),
    "retriever": System("AcroBERT", lambda of: AcroBERTScorer.load(of.model)),
    "combined": System(
        "AcroBERT and BM25, weighed together",
        lambda of: Combined.load(of.table, of.model),
        ("bm25s",),
    ),
    "finetuned": System(
        "AcroBERT, fine-tuned, and BM25",
        lambda of: FinetunedAcroBERT(of.table, of.model, of.bert, of.seed),
        ("bm25s", "sklearn"),
    ),
}


def find_systems(names: Iterable[str], resources: Resources) -> tuple[list[str], dict[str, str]]:
    """The systems of these names, in their order and each once; `all` stands for every one.

    Returns the names, and for those that `all` leaves out the reason. Raises InputError for an
    unknown name, and for a system asked for by name what it lacks.
    """
    wanted = list(dict.fromkeys(names))
    check_names("system", wanted, ["all", *SYSTEMS])
    for name in wanted:
        if name != "all" and (error := SYSTEMS[name].lacks(resources)):
            raise error
    if "all" not in wanted:
        return wanted, {}
    lacking = {name: SYSTEMS[name].lacks(resources) for name in SYSTEMS}
    left_out = {name: str(error) for name, error in lacking.items() if error}
    return [name for name in SYSTEMS if name not in left_out], left_out


def make(name: str, resources: Resources) -> Baseline:
    """The system of this name, untrained. Raises the error that says what it lacks."""
    system = SYSTEMS[name]
    if error := system.lacks(resources):
        raise error
    return system.make(resources)
