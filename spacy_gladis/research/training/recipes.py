"""What each objective trains: its network at the start, its batches, and the model at the end."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeVar

from ...modeling.acrobert import AcroBERT, Settings
from ...modeling.checkpoints import untrained
from ...modeling.encoder import EncoderConfig
from ...modeling.tokens import WordPieces
from .candidates import CandidateObjective
from .dataset import TrainingSet
from .masked import MaskedObjective
from .network import AcroNetwork
from .next_sentence_bert import NextSentenceBERT
from .objective import Objective
from .order import SampleSource
from .pairs import PairSource
from .settings import RunSettings
from .triplet import TripletObjective

Model = AcroBERT | NextSentenceBERT

S = TypeVar("S", bound=SampleSource)


class Recipe(NamedTuple):
    """An objective, and what makes the trained model of its network."""

    objective: Objective
    model: Callable[[], Model]


def pieces_of(objective: str, start: Path) -> WordPieces:
    """The start's tokenizer; AcroBERT's own network alone knows markers at the mention."""
    pieces = WordPieces.load(start if start.is_dir() else start.parent)
    return pieces if objective == "candidates" else pieces.unmarked()


def make_recipe(
    settings: RunSettings,
    start: Path,
    training: TrainingSet,
    held_out: TrainingSet | None,
) -> Recipe:
    """The recipe of a settings file. Raises FormatError when the start is not a BERT checkpoint."""
    if settings.objective != "candidates":
        return _pairs(settings, start, training, held_out)
    if (start / "acrobert.json").is_file():
        module = AcroNetwork.of(AcroBERT.load(start).weights)
    else:
        config = replace(
            EncoderConfig.from_file(start / "config.json"), hidden_dropout_prob=settings.dropout
        )
        module = AcroNetwork.of(untrained(start, config))
    pieces = pieces_of("candidates", start)
    return candidate_recipe(settings, module, pieces, training, held_out)


def candidate_recipe(
    settings: RunSettings,
    module: AcroNetwork,
    pieces: WordPieces,
    training: TrainingSet,
    held_out: TrainingSet | None,
) -> Recipe:
    """Training of AcroBERT's own network from the weights that the module has."""
    source = _source(SampleSource, settings, training, held_out, pieces)
    objective = CandidateObjective(module, source)

    def model() -> AcroBERT:
        described = Settings(window=settings.window)
        return AcroBERT(module.weights(), pieces, described)

    return Recipe(objective, model)


def _source(
    kind: type[S],
    settings: RunSettings,
    training: TrainingSet,
    held_out: TrainingSet | None,
    pieces: WordPieces,
) -> S:
    return kind(
        training,
        batch_size=settings.training.batch_size // settings.training.accumulate,
        negatives=settings.negatives,
        cap=settings.cap,
        seed=settings.training.seed,
        held_out=held_out,
        pad_id=pieces.pad,
    )


def _pairs(
    settings: RunSettings, start: Path, training: TrainingSet, held_out: TrainingSet | None
) -> Recipe:
    words = settings.objective in ("mlm", "mlm_nsp")
    bert = NextSentenceBERT.load(start, start=True, words=words, dropout=settings.dropout)
    bert.window = settings.window
    source = _source(PairSource, settings, training, held_out, bert.pieces)
    objective: Objective
    if settings.objective == "triplet":
        objective = TripletObjective(bert.module, source, margin=settings.margin)
    else:
        objective = MaskedObjective(
            bert.module,
            source,
            words=words,
            sentences=settings.objective != "mlm",
            mask_id=bert.pieces.mask,
            special=(bert.pieces.cls, bert.pieces.sep, bert.pieces.pad),
        )
    return Recipe(objective, lambda: bert.to("cpu"))
