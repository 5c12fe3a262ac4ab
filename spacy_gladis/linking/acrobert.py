"""AcroBERT as users of the package hold it: text in, vectors and scores out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import Floats
from ..dictionary.glosses import describe
from ..encoder.checkpoints import load_untrained
from ..encoder.encoder import STRICT, Encoder, EncoderConfig, read_settings, validate_settings
from ..encoder.engines import make_encoder
from ..encoder.shared_windows import SharedWindow, WindowBatch, shared_windows
from ..encoder.weights import Weights
from ..encoder.word_pieces import (
    GLOSSED_PIECES,
    LONG_FORM_PIECES,
    SENSE_PIECES,
    WordPieces,
    batch_by_length,
    group_into_rows,
    pack,
)
from ..errors import FormatError, InputError
from ..files import write_json
from ..text import Mention
from .calibration import Calibration, Confidence, SenseCalibration
from .neighbours import Neighbours
from .sense_vectors import ContextCentroids, LearntSenses, StoredVectors
from .topics import Topics

PACKAGED = Path(__file__).parents[1] / "data" / "acrobert"
VERSION = 2


@dataclass(frozen=True)
class Settings:
    """What a model was trained with and decides by.

    window: word pieces of context, the mention marked. shared: the mentions are not marked, and
    those of one text are read together (`shared_windows.py`); the window is then of no account.
    calibration: weights of the evidence in a text; alone: for a short text's only acronym; given:
    where candidates are given, one of which is meant. The last two are as the first where they are
    None. one_sense: of a sense by itself. precisions: thresholds from the least on, and the share
    of the answers from them on that were right.
    """

    __pydantic_config__ = STRICT
    window: int = 64
    shared: bool = False
    calibration: Calibration = field(default_factory=Calibration)
    alone: Calibration | None = None
    given: Calibration | None = None
    one_sense: SenseCalibration = field(default_factory=SenseCalibration)
    precisions: tuple[tuple[float, float], ...] = ()

    def threshold_of(self, precision: float) -> float:
        """The least threshold above which so many of the measured answers were right.

        Raises InputError where none is so strict, or the model was never measured.
        """
        if not self.precisions:
            raise InputError("These weights say nothing of precision: give a threshold instead.")
        for threshold, measured in self.precisions:
            if measured >= precision:
                return threshold
        best = max(measured for _, measured in self.precisions)
        raise InputError(
            f"No threshold gives a precision of {precision:g}: the best that was measured is "
            f"{best:.3f}. Ask for less, or give a threshold."
        )

    def to_dict(self) -> dict[str, Any]:
        """As `acrobert.json` holds them."""
        return {"version": VERSION, **asdict(self)}

    def weights(self, alone: bool) -> Calibration:
        """Those of the evidence, for a short text's only acronym or for any other."""
        return self.alone if alone and self.alone else self.calibration

    @property
    def weights_of_given(self) -> Calibration:
        """Those of the evidence, where candidates are given and one of them is meant."""
        return self.given or self.calibration

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], source: str) -> "Settings":
        """Read `acrobert.json`; raises FormatError for another version or unknown settings."""
        if record.get("version") != VERSION:
            raise FormatError(
                f"{source}: weights of version {record.get('version')}, this package reads version "
                f"{VERSION}. Install the spacy-gladis release that the weights were made with."
            )
        if lacking := sorted({"calibration", "one_sense", "precisions"} - record.keys()):
            raise FormatError(f"{source}: not the settings of AcroBERT (no {lacking[0]})")
        return validate_settings(cls, {n: record[n] for n in record.keys() - {"version"}}, source)


class AcroBERT:
    """The encoder with its tokenizer, settings, context centroids and what was learnt.

    encoder: what runs the model, by onnxruntime until `to` says otherwise.
    """

    def __init__(
        self,
        weights: Weights,
        pieces: WordPieces,
        settings: Settings,
        centroids: ContextCentroids | None = None,
        topics: Topics | None = None,
        learnt: LearntSenses | None = None,
        stored: StoredVectors | None = None,
        confidence: Confidence | None = None,
        neighbours: Neighbours | None = None,
    ) -> None:
        self.weights = weights
        self.pieces = pieces
        self.settings = settings
        self.centroids = centroids or ContextCentroids.empty()
        self.topics = topics or Topics.empty(self.width)
        self.learnt = learnt or LearntSenses()
        self.stored = stored or StoredVectors.empty()
        self.confidence = confidence or Confidence.empty()
        self.neighbours = neighbours or Neighbours.empty()
        self.encoder: Encoder = make_encoder(weights)
        self._mention = weights["mention.weight"]

    @classmethod
    def load(cls, path: Path | str | None = None) -> "AcroBERT":
        """Read a folder of weights: ours, or any BERT checkpoint as an untrained start.

        path: None for the packaged weights. Raises FormatError when a file is missing, damaged,
        of another version or of another architecture, MissingExtraError for a checkpoint where
        torch is not installed.
        """
        folder = PACKAGED if path is None else Path(path)
        if not folder.is_dir():
            raise InputError(f"{folder}: no such folder of AcroBERT weights")
        config = EncoderConfig.from_file(folder / "config.json")
        pieces = WordPieces.load(folder)
        described = folder / "acrobert.json"
        if not described.is_file():
            return cls(load_untrained(folder, config), pieces, Settings())
        settings = Settings.from_dict(read_settings(described), str(described))
        weights = Weights.read(folder, config)
        topics = Topics.load(folder, config.hidden_size)
        learnt = LearntSenses.load(folder, config.hidden_size)
        centroids, stored = ContextCentroids.load(folder), StoredVectors.load(folder)
        confidence, neighbours = Confidence.load(folder), Neighbours.load(folder)
        beside = (centroids, topics, learnt, stored, confidence, neighbours)
        return cls(weights, pieces, settings, *beside)

    def save(self, folder: Path | str, *, compact: bool = False) -> None:
        """Write a folder that `load` reads. compact: see `Weights.write`."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / "config.json", self.weights.config.to_dict())
        write_json(folder / "acrobert.json", self.settings.to_dict())
        self.pieces.save(folder)
        self.weights.write(folder, compact=compact)
        for part in self._parts:
            if len(part):
                part.save(folder)

    def with_weights(self, weights: Weights) -> "AcroBERT":
        """One with other weights of the encoder, and all else of this."""
        return AcroBERT(weights, self.pieces, self.settings, *self._parts)

    def to(self, device: str) -> "AcroBERT":
        """Run the model on a device ("cpu", "cuda", "cuda:1", "mps"); in place.

        Raises MissingExtraError where that is no CPU and torch is not installed.
        """
        if device != self.encoder.device:
            self.encoder = make_encoder(self.weights, device)
        return self

    @property
    def _parts(
        self,
    ) -> tuple[ContextCentroids, Topics, LearntSenses, StoredVectors, Confidence, Neighbours]:
        """What is beside the encoder, each in a file of its own, in the order of `__init__`."""
        known = (self.centroids, self.topics, self.learnt, self.stored)
        return (*known, self.confidence, self.neighbours)

    @property
    def width(self) -> int:
        """Length of the vectors."""
        return self.weights.config.hidden_size

    def encode_long_forms(
        self, long_forms: Sequence[str], longest: int = LONG_FORM_PIECES
    ) -> Floats:
        """Unit vectors, float32 [n, hidden]; of each the first `longest` pieces are read."""
        pieces = self.pieces.encode_long_forms(long_forms, longest)
        vectors = np.zeros((len(pieces), self.width), dtype=np.float32)
        lengths = [len(ids) for ids in pieces]
        for batch in batch_by_length(lengths, self.encoder.tokens_per_pass):
            packed = pack(list(group_into_rows([pieces[i] for i in batch])), self.pieces.pad)
            states = self.encoder.encode(packed.ids, packed.owner >= 0, packed.owner)
            vectors[batch] = _unit(packed.mean_pool(states))
        return vectors

    def sense_vectors(self, long_forms: Sequence[str], glosses: Sequence[str]) -> Floats:
        """Return the vectors of senses: those stored with the weights, the others encoded.

        A stored vector is scaled so that its product with the vector that it codes is 1.

        Args:
            long_forms: The senses' long forms.
            glosses: What each of them is; empty where nothing is known of it.

        Returns:
            Vectors, float32 [senses, hidden].
        """
        rows = self.stored.rows(long_forms)
        vectors = np.zeros((len(rows), self.width), dtype=np.float32)
        known, unknown = np.flatnonzero(rows >= 0), np.flatnonzero(rows < 0)
        if known.size:
            decoded = self.stored.vectors(rows[known])
            vectors[known] = decoded / np.square(decoded).sum(axis=1, keepdims=True)
        if unknown.size:
            texts = [describe(long_forms[row], glosses[row]) for row in unknown]
            vectors[unknown] = self.encode_long_forms(texts, GLOSSED_PIECES)
        return vectors

    def encode_contexts(self, contexts: Sequence[Mention]) -> Floats:
        """Unit vectors of the mentions' contexts, float32 [n, hidden]."""
        if self.settings.shared:
            read = shared_windows(self.pieces, contexts)
        else:
            windows = self.pieces.encode_windows(contexts, self.settings.window)
            read = [
                SharedWindow.from_window(window, number) for number, window in enumerate(windows)
            ]
        vectors = np.zeros((len(contexts), self.width), dtype=np.float32)
        lengths = [len(window.ids) for window in read]
        for numbers in batch_by_length(lengths, self.encoder.tokens_per_pass):
            chosen = [read[number] for number in numbers]
            batch = WindowBatch.from_windows(chosen, self.pieces.pad)
            states = self.encoder.encode(batch.ids, batch.mask, np.zeros_like(batch.ids))
            # The mean of the context and a learnt view of the mention's own tokens.
            own = batch.mean_pool(states, batch.mention_mask) @ self._mention.T
            at = np.concatenate([window.mentions for window in chosen])
            vectors[at] = _unit(batch.mean_pool(states, batch.context_mask) + own)
        return vectors

    def verify(self, contexts: Sequence[Mention], senses: Sequence[str]) -> Floats:
        """Probabilities [n] that each context's mention means the sense beside it."""
        return self.settings.one_sense.probabilities(self.compare(contexts, senses))

    def compare(self, contexts: Sequence[Mention], senses: Sequence[str]) -> Floats:
        """Cosines [n] of each context and the sense beside it."""
        vectors = self.encode_contexts(contexts)
        cosines: Floats = (vectors * self.encode_long_forms(senses, SENSE_PIECES)).sum(1)
        return cosines

    @property
    def scale(self) -> float:
        """What the retriever's cosines are multiplied by."""
        return float(np.exp(self.weights["scale"]))


def _unit(vectors: Floats) -> Floats:
    """The vectors at length 1; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = vectors / np.maximum(lengths, np.float32(1e-12))
    return scaled
