"""The AcroBERT model: it encodes long forms and contexts of mentions as vectors and scores them."""

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
from .candidates import Question
from .model_folder import SETTINGS_FILE, find_weights, is_acrobert
from .neighbours import Neighbours
from .sense_vectors import AdaptedSenses, ContextCentroids, StoredVectors, sense_key
from .topics import Topics

VERSION = 2


@dataclass(frozen=True)
class Settings:
    """Settings of a trained model: its context window and the weights of its decision.

    Attributes:
        window: Word pieces of context that are read for each mention. The mention is marked. Not
            used if `shared` is set.
        shared: Whether the mentions of one text are read together, without marks (see
            `encoder/shared_windows.py`).
        calibration: Weights of the evidence for a candidate.
        alone: Weights for the only undefined acronym of a short text; None to use `calibration`.
        given: Weights for disambiguation among given candidates, one of which is right; None to
            use `calibration`.
        one_sense: Calibration of the score of a single sense, used to verify it.
        precisions: Pairs of a threshold and the precision measured at it, both in 0..1, by
            ascending threshold.
    """

    __pydantic_config__ = STRICT
    window: int = 64
    shared: bool = False
    calibration: Calibration = field(default_factory=Calibration)
    alone: Calibration | None = None
    given: Calibration | None = None
    one_sense: SenseCalibration = field(default_factory=SenseCalibration)
    precisions: tuple[tuple[float, float], ...] = ()

    def find_threshold(self, precision: float) -> float:
        """Return the lowest threshold that reached a precision when the model was measured.

        Args:
            precision: Target precision, 0..1.

        Returns:
            The threshold, 0..1.

        Raises:
            InputError: If no threshold reaches the precision, or if the weights come without
                measured precisions.
        """
        if not self.precisions:
            raise InputError(
                "These weights have no measured precisions. Set a threshold instead of a precision."
            )
        for threshold, measured in self.precisions:
            if measured >= precision:
                return threshold
        best = max(measured for _, measured in self.precisions)
        raise InputError(
            f"No threshold reaches a precision of {precision:g}. The best measured precision is "
            f"{best:.3f}. Set a lower precision, or set a threshold."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON types, in the format of `acrobert.json`."""
        return {"version": VERSION, **asdict(self)}

    def select_weights(self, is_alone: bool) -> Calibration:
        """Return the weights of the evidence for an acronym.

        Args:
            is_alone: Whether the acronym is the only undefined one of a short text.
        """
        return self.alone if is_alone and self.alone else self.calibration

    @property
    def disambiguation_weights(self) -> Calibration:
        """Weights for disambiguation among given candidates, one of which is right."""
        return self.given or self.calibration

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], source: str) -> "Settings":
        """Create settings from the content of `acrobert.json`.

        Args:
            record: The content of the file, as `to_dict` returns it.
            source: Name of the file for error messages.

        Raises:
            FormatError: If the record has another version, or lacks a setting, or has an unknown
                or invalid one.
        """
        if record.get("version") != VERSION:
            raise FormatError(
                f"{source}: the weights have version {record.get('version')}, but this package "
                f"reads version {VERSION}. Install the spacy-gladis release that the weights were "
                "made with."
            )
        if missing := sorted({"calibration", "one_sense", "precisions"} - record.keys()):
            raise FormatError(
                f"{source}: not the settings of AcroBERT, because '{missing[0]}' is missing. Check "
                "that the path is a folder of AcroBERT weights."
            )
        return validate_settings(cls, {n: record[n] for n in record.keys() - {"version"}}, source)


class AcroBERT:
    """The encoder with its tokenizer, its settings, and the tables that belong to its weights.

    Use `AcroBERT.load` to read a model from disk.

    Attributes:
        encoder: The engine that runs the encoder. It is onnxruntime on the CPU; `to` changes it.
    """

    def __init__(
        self,
        weights: Weights,
        pieces: WordPieces,
        settings: Settings,
        centroids: ContextCentroids | None = None,
        topics: Topics | None = None,
        adapted_senses: AdaptedSenses | None = None,
        stored: StoredVectors | None = None,
        confidence: Confidence | None = None,
        neighbours: Neighbours | None = None,
    ) -> None:
        """Put a model together from its parts.

        Args:
            weights: Weights of the encoder.
            pieces: The word-piece tokenizer.
            settings: Settings of the model.
            centroids: Mean contexts of senses; None for no centroids.
            topics: Classifier of the topics of contexts; None for no topics.
            adapted_senses: Vectors of senses that were fine-tuned on labelled texts; None if the
                model was not fine-tuned.
            stored: Precomputed vectors of long forms; None to encode every long form.
            confidence: Boosted trees that rescale the probability of the first answer; None to keep
                the probabilities of the logit.
            neighbours: Words that are frequent next to a sense; None for no such words.
        """
        self.weights = weights
        self.pieces = pieces
        self.settings = settings
        self.centroids = centroids or ContextCentroids.empty()
        self.topics = topics or Topics.empty(self.width)
        self.adapted_senses = adapted_senses or AdaptedSenses()
        self.stored = stored or StoredVectors.empty()
        self.confidence = confidence or Confidence.empty()
        self.neighbours = neighbours or Neighbours.empty()
        self.encoder: Encoder = make_encoder(weights)
        self._mention = weights["mention.weight"]

    @classmethod
    def load(cls, path: Path | str | None = None) -> "AcroBERT":
        """Load a model from a folder.

        The folder holds AcroBERT weights or a BERT checkpoint. A checkpoint gives an untrained
        model, as a start for training.

        Args:
            path: The folder, or a name on the Hugging Face hub; None for the packaged weights.

        Raises:
            InputError: If there is no such folder, or the download fails.
            FormatError: If a file is missing, damaged, of another version or of another
                architecture.
            MissingExtraError: If the folder is a checkpoint and torch is not installed.
        """
        folder = find_weights(path)
        config = EncoderConfig.from_file(folder / "config.json")
        pieces = WordPieces.load(folder)
        if not is_acrobert(folder):
            return cls(load_untrained(folder, config), pieces, Settings())
        settings_file = folder / SETTINGS_FILE
        settings = Settings.from_dict(read_settings(settings_file), str(settings_file))
        weights = Weights.read(folder, config)
        topics = Topics.load(folder, config.hidden_size)
        adapted_senses = AdaptedSenses.load(folder, config.hidden_size)
        centroids, stored = ContextCentroids.load(folder), StoredVectors.load(folder)
        confidence, neighbours = Confidence.load(folder), Neighbours.load(folder)
        tables = (centroids, topics, adapted_senses, stored, confidence, neighbours)
        return cls(weights, pieces, settings, *tables)

    def save(self, folder: Path | str, *, compact: bool = False) -> None:
        """Save the model to a folder that `load` reads.

        Args:
            folder: The folder; it is created if it doesn't exist.
            compact: Whether to store the encoder's matrices as 4- and 8-bit integers, which takes
                a fifth of the space (see `Weights.write`).
        """
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / "config.json", self.weights.config.to_dict())
        write_json(folder / SETTINGS_FILE, self.settings.to_dict())
        self.pieces.save(folder)
        self.weights.write(folder, compact=compact)
        for table in self._tables:
            if len(table):
                table.save(folder)

    def with_weights(self, weights: Weights) -> "AcroBERT":
        """Return a model with other weights of the encoder, and everything else from this model.

        Args:
            weights: Weights of an encoder with the same vector width.
        """
        return AcroBERT(weights, self.pieces, self.settings, *self._tables)

    def to(self, device: str) -> "AcroBERT":
        """Move the encoder to a device, in place.

        Args:
            device: Name of the device, such as "cpu", "cuda", "cuda:1" or "mps".

        Returns:
            The model itself.

        Raises:
            MissingExtraError: If the device is not the CPU and torch is not installed.
        """
        if device != self.encoder.device:
            self.encoder = make_encoder(self.weights, device)
        return self

    @property
    def _tables(
        self,
    ) -> tuple[ContextCentroids, Topics, AdaptedSenses, StoredVectors, Confidence, Neighbours]:
        """The tables that belong to the weights, in the order of `__init__`."""
        senses = (self.centroids, self.topics, self.adapted_senses, self.stored)
        return (*senses, self.confidence, self.neighbours)

    @property
    def width(self) -> int:
        """Length of the encoder's vectors."""
        return self.weights.config.hidden_size

    def encode_long_forms(
        self, long_forms: Sequence[str], longest: int = LONG_FORM_PIECES
    ) -> Floats:
        """Encode long forms as unit vectors.

        Args:
            long_forms: The long forms.
            longest: Word pieces that are read of each long form, from its start.

        Returns:
            Unit vectors, float32 [long forms, width].
        """
        pieces = self.pieces.encode_long_forms(long_forms, longest)
        vectors = np.zeros((len(pieces), self.width), dtype=np.float32)
        lengths = [len(ids) for ids in pieces]
        for batch in batch_by_length(lengths, self.encoder.tokens_per_pass):
            packed = pack(list(group_into_rows([pieces[i] for i in batch])), self.pieces.pad)
            states = self.encoder.encode(packed.ids, packed.owner >= 0, packed.owner)
            vectors[batch] = _unit(packed.mean_pool(states))
        return vectors

    def sense_vectors(self, long_forms: Sequence[str], glosses: Sequence[str]) -> Floats:
        """Return the vectors of senses. Senses without a stored vector are encoded.

        A stored vector is an approximation. It is scaled so that its product with the vector that
        it approximates is 1.

        Args:
            long_forms: Long form of each sense.
            glosses: Gloss of each sense; an empty string if it has none.

        Returns:
            Vectors, float32 [senses, width].
        """
        rows = self.stored.find_rows(long_forms)
        vectors = np.zeros((len(rows), self.width), dtype=np.float32)
        stored, missing = np.flatnonzero(rows >= 0), np.flatnonzero(rows < 0)
        if stored.size:
            decoded = self.stored.decode(rows[stored])
            vectors[stored] = decoded / np.square(decoded).sum(axis=1, keepdims=True)
        if missing.size:
            texts = [describe(long_forms[row], glosses[row]) for row in missing]
            vectors[missing] = self.encode_long_forms(texts, GLOSSED_PIECES)
        return vectors

    def encode_contexts(self, contexts: Sequence[Mention]) -> Floats:
        """Encode mentions in their contexts as unit vectors.

        A vector is the mean of the context's tokens plus a learned projection of the mention's
        tokens, at length 1.

        Args:
            contexts: The mentions with their texts.

        Returns:
            Unit vectors, float32 [mentions, width].
        """
        if self.settings.shared:
            windows = shared_windows(self.pieces, contexts)
        else:
            marked = self.pieces.encode_windows(contexts, self.settings.window)
            windows = [
                SharedWindow.from_window(window, number) for number, window in enumerate(marked)
            ]
        vectors = np.zeros((len(contexts), self.width), dtype=np.float32)
        lengths = [len(window.ids) for window in windows]
        for numbers in batch_by_length(lengths, self.encoder.tokens_per_pass):
            bucket = [windows[number] for number in numbers]
            batch = WindowBatch.from_windows(bucket, self.pieces.pad)
            states = self.encoder.encode(batch.ids, batch.mask, np.zeros_like(batch.ids))
            mention = batch.mean_pool(states, batch.mention_mask) @ self._mention.T
            rows = np.concatenate([window.mentions for window in bucket])
            vectors[rows] = _unit(batch.mean_pool(states, batch.context_mask) + mention)
        return vectors

    def compute_logits(
        self, question: Question, tables: Sequence[Floats], queries: Floats
    ) -> list[Floats]:
        """Compute the logits of a question's candidates in each encoded context.

        Args:
            question: The acronym with its candidates.
            tables: Features of the candidates in each context, [candidates, FEATURES].
            queries: Vectors of the contexts, [contexts, width].

        Returns:
            Logits for each context, float32 [candidates].
        """
        weights = self.settings.select_weights(question.is_alone)
        names = [candidate.long_form for candidate in question.candidates]
        return [
            weights.logits(table) + self.score_adapted(names, query)
            for table, query in zip(tables, queries, strict=True)
        ]

    def score_adapted(self, long_forms: Sequence[str], query: Floats) -> Floats:
        """Compute the part of the logits that comes from fine-tuning on labelled texts.

        Args:
            long_forms: Long forms of the candidates.
            query: Vector of the context, [width].

        Returns:
            Logits to add, float32 [long forms]; 0 for senses that were not fine-tuned.
        """
        if not len(self.adapted_senses):
            return np.zeros(len(long_forms), np.float32)
        return self.adapted_senses.compare([sense_key(name) for name in long_forms], query)

    def verify(self, contexts: Sequence[Mention], senses: Sequence[str]) -> Floats:
        """Return the probability that each mention has a sense.

        Args:
            contexts: The mentions with their texts.
            senses: Text of one sense for each mention, such as its long form or definition.

        Returns:
            Probabilities, float32 [mentions].
        """
        return self.settings.one_sense.probabilities(self.compare(contexts, senses))

    def compare(self, contexts: Sequence[Mention], senses: Sequence[str]) -> Floats:
        """Return the cosine similarity of each mention's context and a sense.

        Args:
            contexts: The mentions with their texts.
            senses: Text of one sense for each mention.

        Returns:
            Cosines, float32 [mentions].
        """
        vectors = self.encode_contexts(contexts)
        cosines: Floats = (vectors * self.encode_long_forms(senses, SENSE_PIECES)).sum(1)
        return cosines

    @property
    def scale(self) -> float:
        """Factor by which cosines are multiplied to get the retriever's logits."""
        return float(np.exp(self.weights["scale"]))


def _unit(vectors: Floats) -> Floats:
    """Scale vectors to length 1. Zero vectors stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = vectors / np.maximum(lengths, np.float32(1e-12))
    return scaled
