"""Reading of a training run's settings file, and creation of the objective that it describes."""

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
from ...linking.model_folder import is_acrobert
from .dataset import TrainingSet
from .loop import TrainingSettings
from .network import AcroNetwork
from .next_sentence import NextSentenceBERT
from .objective import (
    CandidateObjective,
    CandidateTripletObjective,
    Objective,
)
from .order import SampleSource
from .pair_objectives import MaskedObjective, TripletObjective

if TYPE_CHECKING:
    from confection import Config

OBJECTIVES = ("candidates", "candidate_triplet", "distilled", "triplet", "mlm_nsp", "nsp", "mlm")
"""Names of all training objectives, as in a settings file."""


OF_ACROBERT = ("candidates", "candidate_triplet")
"""Names of objectives that train the network of AcroBERT."""

WITH_WORDS = ("mlm_nsp", "mlm")
"""Names of objectives that train the prediction of masked words."""


@dataclass(frozen=True)
class RunSettings:
    """The content of the settings file of a training run.

    Attributes:
        samples: Path of the training samples; see `read_samples`.
        start: Checkpoint to start from, in the form that `find_start` accepts. An AcroBERT
            checkpoint keeps its own dropout.
        training: Settings of the training loop.
        objective: Name of the objective. `candidates`, `candidate_triplet` and `distilled` train
            the network of AcroBERT. `triplet` (GLADIS, section 4), `mlm_nsp`, `nsp` and `mlm` (the
            ablation, Table A4) train a BERT with its next-sentence head.
        window: Maximum number of word pieces in the context window around a mention.
        dropout: Dropout probability of the encoder, 0..1.
        negatives: Number of wrong long forms that each sample is compared with.
        cap: Maximum number of samples of an (acronym, long form) pair in an epoch.
        margin: Margin of the triplet losses, 0..1.
        held_out: Maximum number of held-out samples in each evaluation.
        share: Share of the samples that the objective `distilled` reads, above 0 and up to 1.
        source: The raw content of the settings file.
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
        """Check the settings, and raise InputError if one is unknown or out of range."""
        if self.objective not in OBJECTIVES:
            raise InputError(
                f"objective.name must be one of {', '.join(OBJECTIVES)}, got '{self.objective}'."
            )
        for name in ("negatives", "cap", "window"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, got {getattr(self, name)}.")
        if not 0 < self.share <= 1:
            raise InputError(f"share must be above 0 and at most 1, got {self.share}.")
        if self.held_out < 0:
            raise InputError(f"held_out must be at least 0, got {self.held_out}.")

    @classmethod
    def read(cls, path: Path, overrides: dict[str, Any] | None = None) -> "RunSettings":
        """Read the settings of a training run from a file in the format of spaCy's config files.

        Args:
            path: Path of the settings file.
            overrides: Values that replace those of the file, by dotted name, such as
                `{"training.steps": 100}`. A value of None keeps the file's value.

        Returns:
            The settings of the run.

        Raises:
            InputError: If the file is missing, or its settings are not those of a training run.
        """
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
    """Read a settings file, and convert errors in the `with` block to errors about the file.

    Args:
        path: Path of the settings file.
        of: Kind of the settings, for the error message, such as "a training run".
        overrides: Values that replace those of the file, by dotted name. A value of None keeps the
            file's value.

    Yields:
        The content of the file, with the overrides.

    Raises:
        InputError: If the file is missing, or the block finds that its settings are not the
            expected ones.
    """
    from confection import Config

    if not path.is_file():
        raise InputError(f"{path} does not exist. Give the path of a settings file.")
    changes = {name: value for name, value in overrides.items() if value is not None}
    try:
        yield Config().from_disk(path, overrides=changes)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: not the settings of {of} ({error})") from None


Model = AcroBERT | NextSentenceBERT
"""A model that a training run can start from: AcroBERT, or a BERT with a next-sentence head."""


class Recipe(NamedTuple):
    """The objective of a training run, and a function that returns the trained model.

    Attributes:
        objective: The training objective.
        model: Function to call after training, which returns the model with the trained weights.
    """

    objective: Objective
    model: Callable[[], Model]


def load_start(settings: RunSettings, start: Path) -> Model:
    """Load the model with which a training run starts.

    Args:
        settings: Settings of the run, whose objective determines the kind of model.
        start: Folder or file of the checkpoint, as returned by `find_start`.

    Returns:
        AcroBERT for the objectives that train it, and otherwise a BERT with a next-sentence head.

    Raises:
        FormatError: If the checkpoint has another architecture.
    """
    if settings.objective not in OF_ACROBERT:
        words = settings.objective in WITH_WORDS
        return NextSentenceBERT.load(start, start=True, words=words, dropout=settings.dropout)
    if is_acrobert(start):
        return AcroBERT.load(start)
    config = EncoderConfig.from_file(start / "config.json")
    weights = load_untrained(start, replace(config, hidden_dropout_prob=settings.dropout))
    return AcroBERT(weights, WordPieces.load(start), Settings())


def make_recipe(
    settings: RunSettings, model: Model, training: TrainingSet, held_out: TrainingSet | None
) -> Recipe:
    """Create the objective of a training run from its settings, its model and its samples.

    Args:
        settings: Settings of the run.
        model: Model to train.
        training: Samples to train on.
        held_out: Samples that determine which weights of the run are the best. None to use the last
            weights.

    Returns:
        The objective, and a function that returns the trained model.
    """
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
        # Drop the context centroids, because they were computed with the encoder before training.
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
