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
from .calibration import Calibration, ScoringNetwork, SenseCalibration
from .candidates import Question
from .model_folder import SETTINGS_FILE, find_weights, is_acrobert
from .neighbours import Neighbours
from .sense_vectors import (
    AdaptedSenses,
    ContextCentroids,
    SenseProjection,
    StoredVectors,
    sense_key,
)
from .topics import Topics

VERSION = 3


@dataclass(frozen=True)
class Settings:
    """The settings that are saved with the weights of a trained AcroBERT model.

    They define how much context the model reads and how it weighs the evidence for a long form.

    Attributes:
        window: Number of word pieces that are read around each mention. The mention is enclosed in
            marker tokens. Not used if `shared` is set.
        shared: Whether the mentions of a text share windows in which they are not marked (see
            `encoder/shared_windows.py`). The encoder then reads a window once for all its mentions.
        calibration: Weights of the features, for a first estimate of the candidates' probabilities.
            A model without a scoring network also ranks the candidates with them.
        given: Weights for candidates that the caller gives, of which one is right. None to use
            `calibration`.
        one_sense: Calibration that converts the cosine of a mention and a single sense to the
            probability that the mention has this sense.
        precisions: Pairs of a threshold and the precision that was measured with it, both between 0
            and 1, in ascending order of the thresholds.
    """

    __pydantic_config__ = STRICT
    window: int = 64
    shared: bool = False
    calibration: Calibration = field(default_factory=Calibration)
    given: Calibration | None = None
    one_sense: SenseCalibration = field(default_factory=SenseCalibration)
    precisions: tuple[tuple[float, float], ...] = ()

    def find_threshold(self, precision: float) -> float:
        """Return the lowest threshold that reached a target precision when the model was evaluated.

        Args:
            precision: Target precision of the linker's answers, between 0 and 1.

        Returns:
            The threshold: the minimum probability, between 0 and 1, of an answer.

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
        """Return the settings as JSON types, in the format of the file `acrobert.json`."""
        return {"version": VERSION, **asdict(self)}

    @property
    def disambiguation_weights(self) -> Calibration:
        """Feature weights for candidates that the caller gives, of which one is right."""
        return self.given or self.calibration

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], source: str) -> "Settings":
        """Create settings from the parsed content of the file `acrobert.json`.

        Args:
            record: Content of the file, in the format that `to_dict` returns.
            source: Name of the file, which the error messages mention.

        Raises:
            FormatError: If the version is not supported, or if a setting is missing, unknown or
                invalid.
        """
        if record.get("version") != VERSION:
            raise FormatError(
                f"{source}: the weights have version {record.get('version')}, but this package "
                f"reads version {VERSION}. Install the spacy-gladis release that the weights were "
                "made with."
            )
        if missing := sorted({"calibration", "one_sense", "precisions"} - record.keys()):
            raise FormatError(
                f"{source} does not contain the settings of AcroBERT, because '{missing[0]}' is "
                "missing. Check that the path is a folder of AcroBERT weights."
            )
        return validate_settings(cls, {n: record[n] for n in record.keys() - {"version"}}, source)


class AcroBERT:
    """The model that compares mentions of acronyms with long forms.

    It consists of a transformer encoder with its tokenizer, the settings of the linker, and tables
    that were computed with the encoder. Use `AcroBERT.load` to read a model from disk.

    Attributes:
        encoder: The engine that runs the encoder. It uses onnxruntime on the CPU unless you move
            the model to another device with `to`.
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
        network: ScoringNetwork | None = None,
        neighbours: Neighbours | None = None,
        projection: SenseProjection | None = None,
    ) -> None:
        """Create a model from the weights, the tokenizer, the settings and the tables.

        Args:
            weights: Weights of the transformer encoder.
            pieces: The word-piece tokenizer that belongs to the encoder.
            settings: Settings of the model, such as the weights of the features.
            centroids: For each known sense, the mean vector of the contexts in which it was seen.
                None for a model without centroids.
            topics: Classifier that estimates the topics of a context. None for a model without
                topics.
            adapted_senses: Vectors of the senses that were fine-tuned on labelled texts. None if
                the model was not fine-tuned.
            stored: Precomputed vectors of long forms. None to encode every long form.
            network: Neural network that scores candidates. None to score them by the weighted sum
                of their features.
            neighbours: Table of the words that often occur next to a sense. None for a model
                without such a table.
            projection: Linear map from the vectors of contexts to those of senses. None for a model
                without such a map.
        """
        self.weights = weights
        self.pieces = pieces
        self.settings = settings
        self.centroids = centroids or ContextCentroids.empty()
        self.topics = topics or Topics.empty(self.width)
        self.adapted_senses = adapted_senses or AdaptedSenses()
        self.stored = stored or StoredVectors.empty()
        self.network = network or ScoringNetwork.empty()
        self.neighbours = neighbours or Neighbours.empty()
        self.projection = projection or SenseProjection.empty()
        self.encoder: Encoder = make_encoder(weights)
        self._mention = weights["mention.weight"]

    @classmethod
    def load(cls, path: Path | str | None = None) -> "AcroBERT":
        """Load a model from a folder or from the Hugging Face hub.

        The folder contains AcroBERT weights or a BERT checkpoint. A BERT checkpoint gives an
        untrained model, which is a starting point for training.

        Args:
            path: Path of the folder, or name of a model on the Hugging Face hub (``owner/name``).
                None selects the packaged weights.

        Raises:
            InputError: If the folder doesn't exist, or the download fails.
            FormatError: If a file is missing or damaged, or if its version or architecture is not
                supported.
            MissingExtraError: If the folder is a BERT checkpoint and torch is not installed.
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
        network, neighbours = ScoringNetwork.load(folder), Neighbours.load(folder)
        projection = SenseProjection.load(folder, config.hidden_size)
        tables = (centroids, topics, adapted_senses, stored, network, neighbours, projection)
        return cls(weights, pieces, settings, *tables)

    def save(self, folder: Path | str, *, compact: bool = False) -> None:
        """Save the model to a folder, from which `load` can read it again.

        Args:
            folder: Path of the folder. It is created if it doesn't exist.
            compact: Whether to store the encoder's matrices as 4- and 8-bit integers, which needs
                only a fifth of the disk space (see `Weights.write`).
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
        """Return a copy of the model that uses different encoder weights.

        The copy shares the tokenizer, the settings and the tables with this model.

        Args:
            weights: Weights of an encoder whose vectors have the same length.
        """
        return AcroBERT(weights, self.pieces, self.settings, *self._tables)

    def to(self, device: str) -> "AcroBERT":
        """Move the model's encoder to a device, in place.

        Args:
            device: Name of the device, such as "cpu", "cuda", "cuda:1" or "mps".

        Returns:
            The same model, so that calls can be chained.

        Raises:
            MissingExtraError: If the device is not the CPU and torch is not installed.
        """
        if device != self.encoder.device:
            self.encoder = make_encoder(self.weights, device)
        return self

    @property
    def _tables(
        self,
    ) -> tuple[
        ContextCentroids,
        Topics,
        AdaptedSenses,
        StoredVectors,
        ScoringNetwork,
        Neighbours,
        SenseProjection,
    ]:
        """The tables that were computed with the encoder, in the order of `__init__`."""
        senses = (self.centroids, self.topics, self.adapted_senses, self.stored)
        return (*senses, self.network, self.neighbours, self.projection)

    @property
    def width(self) -> int:
        """Length of the encoder's vectors, called `width` in the shapes of arrays."""
        return self.weights.config.hidden_size

    def encode_long_forms(
        self, long_forms: Sequence[str], longest: int = LONG_FORM_PIECES
    ) -> Floats:
        """Encode long forms as vectors of length 1.

        The vector of a long form is the mean over its tokens. Its dot product with the vector of a
        context is their cosine similarity.

        Args:
            long_forms: The long forms to encode, such as "computed tomography".
            longest: Maximum number of word pieces to read from the start of each long form.

        Returns:
            A unit vector for each long form, float32 [long forms, width].
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
        """Return the vectors of senses, each given by a long form and its gloss.

        A vector that is stored with the weights is used if there is one. Other senses are encoded.
        A stored vector is an approximation. It is scaled so that its product with the exact vector
        is 1.

        Args:
            long_forms: Long form of each sense.
            glosses: Gloss of each sense, which is a short description, or an empty string if it has
                none.

        Returns:
            A vector for each sense, float32 [senses, width].
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
        """Encode each mention with the text around it as a vector of length 1.

        The vector is the mean over the tokens of the context, plus a learned projection of the mean
        over the mention's own tokens. The sum is scaled to length 1.

        Args:
            contexts: The mentions to encode, with their texts.

        Returns:
            A unit vector for each mention, float32 [mentions, width].
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
        """Compute the logits of an acronym's candidates in each of its contexts.

        A logit is the score of the candidate's features (see `score_features`), plus what
        fine-tuning on labelled texts adds to it.

        Args:
            question: The acronym with its candidate long forms.
            tables: For each context, the features of the candidates, [candidates, FEATURES].
            queries: Vectors of the contexts, [contexts, width].

        Returns:
            For each context, the logits of the candidates, float32 [candidates].
        """
        names = [candidate.long_form for candidate in question.candidates]
        return [
            self.score_features(question, table) + self.score_adapted(names, query)
            for table, query in zip(tables, queries, strict=True)
        ]

    def score_features(self, question: Question, table: Floats) -> Floats:
        """Compute the logits of an acronym's candidates from their features.

        Args:
            question: The acronym with its candidate long forms.
            table: Features of the candidates in a context, [candidates, FEATURES].

        Returns:
            A logit for each candidate, float32 [candidates], from the scoring network. A model
            without a network uses the weighted sum of the features.
        """
        if len(self.network):
            return self.network.score(table, question)
        return self.settings.calibration.logits(table)

    def score_nil(self, question: Question) -> float:
        """Compute the logit of NIL, the answer that none of an acronym's candidates is right.

        Args:
            question: The acronym with its candidate long forms.
        """
        if len(self.network):
            return self.network.score_nil(question)
        return self.settings.calibration.nil_logit(question.nil)

    def score_adapted(self, long_forms: Sequence[str], query: Floats) -> Floats:
        """Compute the values that fine-tuning on labelled texts adds to the logits of long forms.

        Args:
            long_forms: Long forms of an acronym's candidates.
            query: Vector of the context in which the acronym occurs, [width].

        Returns:
            Values to add to the logits, float32 [long forms]. They are 0 for senses that were not
            fine-tuned.
        """
        if not len(self.adapted_senses):
            return np.zeros(len(long_forms), np.float32)
        return self.adapted_senses.compare([sense_key(name) for name in long_forms], query)

    def verify(self, contexts: Sequence[Mention], senses: Sequence[str]) -> Floats:
        """Return the probability that each mention has the sense that is proposed for it.

        Unlike linking, this needs no dictionary and no other candidates.

        Args:
            contexts: The mentions to verify, with their texts.
            senses: Description of the proposed sense of each mention, such as a long form or a
                definition.

        Returns:
            A probability for each mention, float32 [mentions].
        """
        return self.settings.one_sense.probabilities(self.compare(contexts, senses))

    def compare(self, contexts: Sequence[Mention], senses: Sequence[str]) -> Floats:
        """Return the cosine similarity between the context of each mention and a sense.

        Args:
            contexts: The mentions to compare, with their texts.
            senses: Description of one sense for each mention, such as a long form or a definition.

        Returns:
            A cosine between -1 and 1 for each mention, float32 [mentions].
        """
        vectors = self.encode_contexts(contexts)
        cosines: Floats = (vectors * self.encode_long_forms(senses, SENSE_PIECES)).sum(1)
        return cosines

    @property
    def scale(self) -> float:
        """The factor by which a cosine similarity is multiplied to get a logit."""
        return float(np.exp(self.weights["scale"]))


def _unit(vectors: Floats) -> Floats:
    """Scale vectors to length 1. Zero vectors stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = vectors / np.maximum(lengths, np.float32(1e-12))
    return scaled
