"""A training run's settings file, and what each objective trains."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...encoder.checkpoints import load_untrained
from ...encoder.encoder import EncoderConfig
from ...encoder.word_pieces import WordPieces
from ...errors import InputError
from ...linking.acrobert import AcroBERT, Settings
from .dataset import TrainingSet
from .loop import TrainingSettings
from .network import AcroNetwork
from .next_sentence import NextSentenceBERT
from .objective import (
    CandidateObjective,
    CandidateTripletObjective,
    MaskedObjective,
    Objective,
    TripletObjective,
)
from .order import SampleSource

if TYPE_CHECKING:
    from confection import Config

OBJECTIVES = ("candidates", "candidate_triplet", "distilled", "triplet", "mlm_nsp", "nsp", "mlm")


OF_ACROBERT = ("candidates", "candidate_triplet")
"""Objectives of AcroBERT's own network."""

WITH_WORDS = ("mlm_nsp", "mlm")
"""Objectives that learn masked words."""


@dataclass(frozen=True)
class RunSettings:
    """What a settings file holds.

    samples: what `read_samples` takes. start: the checkpoint to begin with, see `find_start`; a
    folder of AcroBERT's is trained further with its own dropout. objective: `candidates`,
    `candidate_triplet` and `distilled` train AcroBERT's own network, the last by what the start
    says of a `share` of the samples; all others BERT with its next-sentence head: `triplet`
    (GLADIS, section 4), `mlm_nsp`, `nsp` and `mlm` (the ablation, Table A4).
    window: see `linking.Settings`. negatives, cap: see `SampleSource`. margin: see
    `TripletObjective`. held_out: samples in each evaluation. training: see `TrainingSettings`.
    """

    samples: Path
    start: str
    training: TrainingSettings
    objective: str = "candidates"
    window: int = 64
    dropout: float = 0.0
    negatives: int = 4
    cap: int = 4
    margin: float = 0.2
    held_out: int = 1000
    share: float = 0.08
    source: dict[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.objective not in OBJECTIVES:
            raise InputError(
                f"objective.name must be one of {', '.join(OBJECTIVES)}, got '{self.objective}'"
            )
        for name in ("negatives", "cap", "window"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, got {getattr(self, name)}")
        if not 0 < self.share <= 1:
            raise InputError(f"share must be above 0 and at most 1, got {self.share}")
        if self.held_out < 0:
            raise InputError(f"held_out must be at least 0, got {self.held_out}")

    @classmethod
    def read(cls, path: Path, overrides: dict[str, Any] | None = None) -> "RunSettings":
        """Read a settings file in spaCy's format; raises InputError for what it may not hold."""
        with reading(path, "a training run", overrides or {}) as config:
            sections = {name: dict(config[name]) for name in ("paths", "model", "objective")}
            training = TrainingSettings(**config["training"])
            sections["objective"]["objective"] = sections["objective"].pop("name", "candidates")
            merged = {k: v for section in sections.values() for k, v in section.items()}
            if not merged.get("samples"):
                raise InputError(f"{path}: paths.samples is not set. Give --samples FILE.")
            merged["samples"] = Path(merged["samples"])
            return cls(**merged, training=training, source=dict(config))


@contextmanager
def reading(path: Path, of: str, overrides: dict[str, Any]) -> Iterator["Config"]:
    """A settings file's content, with the overrides that are not None.

    Raises InputError where the file is missing, or what is done with it shows that it does not
    hold the settings `of`.
    """
    from confection import Config

    if not path.is_file():
        raise InputError(f"{path}: no such settings file")
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        yield Config().from_disk(path, overrides=given)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: not the settings of {of} ({error})") from None


Model = AcroBERT | NextSentenceBERT


class Recipe(NamedTuple):
    """An objective, and what makes the trained model of its network."""

    objective: Objective
    model: Callable[[], Model]


def load_start(settings: RunSettings, start: Path) -> Model:
    """The model that a run begins with. Raises FormatError when it is of another architecture."""
    if settings.objective not in OF_ACROBERT:
        words = settings.objective in WITH_WORDS
        return NextSentenceBERT.load(start, start=True, words=words, dropout=settings.dropout)
    if (start / "acrobert.json").is_file():
        return AcroBERT.load(start)
    config = EncoderConfig.from_file(start / "config.json")
    weights = load_untrained(start, replace(config, hidden_dropout_prob=settings.dropout))
    return AcroBERT(weights, WordPieces.load(start), Settings())


def make_recipe(
    settings: RunSettings, model: Model, training: TrainingSet, held_out: TrainingSet | None
) -> Recipe:
    """Training of a model by the objective of the settings; held_out: chooses the best weights."""
    source = SampleSource(
        training,
        batch_size=settings.training.batch_size // settings.training.accumulate,
        negatives=settings.negatives,
        cap=settings.cap,
        seed=settings.training.seed,
        held_out=held_out,
        pad_id=model.pieces.pad,
    )
    if isinstance(model, AcroBERT):
        network, pieces, described = AcroNetwork.of(model.weights), model.pieces, model.settings
        # Without the context centroids, whose vectors are of the encoder as it was before.
        chosen = (
            CandidateObjective(network, source)
            if settings.objective == "candidates"
            else CandidateTripletObjective(network, source, settings.margin)
        )
        return Recipe(
            chosen,
            lambda: AcroBERT(network.weights(), pieces, described),
        )
    model.window = settings.window
    objective: Objective
    if settings.objective == "triplet":
        objective = TripletObjective(model.module, source, margin=settings.margin)
    else:
        objective = MaskedObjective(
            model.module,
            source,
            words=settings.objective in WITH_WORDS,
            mask_id=model.pieces.mask,
            special=(model.pieces.cls, model.pieces.sep, model.pieces.pad),
            sentences=settings.objective != "mlm",
        )
    return Recipe(objective, lambda: model.to("cpu"))
