"""The systems for disambiguation, by name; a system's module is imported when it is made."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path

from ....errors import GladisError, InputError, check_names, missing_extra
from .protocol import Baseline, Table


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
    """A system that `make` can make.

    place: "module:callable" in this folder, called with those of the `Resources` that it takes.
    packages: what the extra `evaluation` brings for it. required: of these resources, what has no
    default, with what to give.
    """

    about: str
    place: str
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

SYSTEMS: dict[str, System] = {
    "first": System("The first candidate", "counting:FirstCandidate"),
    "most-frequent": System("The long form most frequent in training", "counting:MostFrequent"),
    "popularity": System("The largest count in the dictionary", "counting:Popularity"),
    "bm25": System("BM25", "counting:BM25", packages=("bm25s",)),
    "classifier": System(
        "One classifier an acronym", "words:AcronymClassifier", packages=("sklearn",)
    ),
    "fasttext": System("FastText", "words:FastText", packages=("gensim",)),
    "sense-vectors": System("Sense vectors", "words:SenseVectors", packages=("gensim",)),
    "bert-embedding": System(
        "BERT's embedding",
        "bert:BERTEmbedding",
        packages=("transformers",),
        required={"bert": "--bert: the folder or the name of a BERT"},
    ),
    "bilstm": System("GAD without its graph", "gad:bilstm", required=_PARSER),
    "gad": System("GAD", "gad:GAD", required=_PARSER),
    "retriever": System("AcroBERT", "acrobert:AcroBERTScorer.load"),
    "combined": System(
        "AcroBERT and BM25, weighed together", "acrobert:Combined.load", packages=("bm25s",)
    ),
    "finetuned": System(
        "AcroBERT, fine-tuned, and BM25",
        "acrobert:FinetunedAcroBERT",
        packages=("bm25s", "sklearn"),
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
    module, _, path = system.place.partition(":")
    made = import_module(f"{__package__}.{module}")
    for part in path.split("."):
        made = getattr(made, part)
    given = {one.name: getattr(resources, one.name) for one in fields(resources)}
    taken = signature(made).parameters  # type: ignore[arg-type]
    baseline: Baseline = made(**{name: given[name] for name in taken if name in given})  # type: ignore[operator]
    return baseline
