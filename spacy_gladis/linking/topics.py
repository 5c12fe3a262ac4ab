"""Topics of documents and of candidates.

The acronyms of a document tend to have related meanings. For example, HTN next to DM and CAD is
hypertension, because lists of cardiology terms and a hospital's glossary contain all three. Each
source of the dictionary is therefore a topic. Lists of common acronyms on related subjects also
share a topic, which is called their branch.

A candidate has the topics of the sources that list it. The topics of a document are estimated from
its words and from the meanings of its other acronyms, in a fixed number of rounds. The running time
is linear in the number of mentions times the number of sources of their candidates.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from math import log1p
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..arrays import Doubles, Floats, Ints
from ..dictionary import Candidate, SourceInfo
from ..errors import FormatError
from ..files import reading_tensors, write_arrays
from ..settings import FIELDS
from .calibration import softmax

NAME = "topics.safetensors"

COMMON = 1.5
"""Weight of a list of common acronyms in a candidate's topics. Other sources have weight 1."""

BRANCH = 0.5
"""Fraction, between 0 and 1, of a common list's share that goes to the topic of its branch. The
rest goes to the topic of the list itself."""

DOCUMENT_WORDS = 1.0
"""Weight of the document's words when its topics are estimated. Each acronym has weight 1."""

FREQUENT = 0.5
"""Exponent of a topic's prior. Frequent topics are less informative, so a topic's share of a
document is divided by the prior to this power."""

FOLDER = 10
"""Maximum total weight of the acronyms in other documents of the folder. An acronym of the document
itself has weight 1."""

STATED = 5.0
"""Weight of a subject field that the user specifies. An acronym of the document has weight 1."""

SMOOTHING = 3e-3
"""Small value that is added to shares before their logarithm is computed, because a share may be
0."""


class CandidateTopics(NamedTuple):
    """A sparse matrix with the share of each topic in each candidate of an acronym.

    The shares of a candidate sum to 1. A candidate has no shares if none of its sources is a topic.

    Attributes:
        rows: Index of each cell's candidate, int64 [cells].
        topics: Index of each cell's topic, int64 [cells].
        shares: Share of the topic in the candidate, between 0 and 1, float64 [cells].
        shape: Number of candidates and number of topics.
    """

    rows: Ints
    topics: Ints
    shares: Doubles
    shape: tuple[int, int]

    def mix(self, probabilities: Floats) -> Floats:
        """Average the topics of an acronym's candidates, weighted by the candidates' probabilities.

        Args:
            probabilities: Probabilities of the candidates, [candidates].

        Returns:
            Expected share of each topic, float32 [topics].
        """
        weights = self.shares * probabilities[self.rows]
        return np.bincount(self.topics, weights, self.shape[1]).astype(np.float32)

    def overlap(self, document: Floats) -> Floats:
        """Return the dot product of each candidate's topics with the topics of a document.

        Args:
            document: Share of each topic in the document, [topics].

        Returns:
            A dot product for each candidate, float32 [candidates]. It is 0 for a candidate without
            topics.
        """
        weights = self.shares * document[self.topics]
        return np.bincount(self.rows, weights, self.shape[0]).astype(np.float32)


@lru_cache(1 << 14)
def find_branch(source: str) -> str:
    """Return the branch of related lists to which a list of common acronyms belongs.

    For example, "common: health/medicine/lymphoma" belongs to "common: health/medicine".

    Args:
        source: Name of a source of the dictionary.

    Returns:
        Name of the branch, or an empty string if the source has no branch.
    """
    return source.rpartition("/")[0] if source.startswith("common: ") else ""


class Topics:
    """A softmax classifier that estimates the topics of a text from the vectors of its contexts.

    A topic is a source of the dictionary, such as a glossary of medicine, or a branch of related
    lists.
    """

    def __init__(self, names: Sequence[str], prior: Floats, weights: Floats, bias: Floats) -> None:
        """Create a topic classifier from its arrays.

        Args:
            names: Names of the topics, which are sources of a dictionary and branches of its lists
                of common acronyms.
            prior: Frequency of each topic, [topics]. The frequencies sum to 1.
            weights: Weights of the classifier, [topics, width].
            bias: Bias of the classifier, [topics].
        """
        self.names = tuple(names)
        self.prior, self.weights, self.bias = (
            np.asarray(array, np.float32) for array in (prior, weights, bias)
        )
        self._index = {name: number for number, name in enumerate(self.names)}
        self._parts_of: dict[str, tuple[tuple[int, float], ...]] = {}
        self._fields: tuple[Mapping[str, SourceInfo], Floats] | None = None

    def __len__(self) -> int:
        """Return the number of topics that the classifier distinguishes."""
        return len(self.names)

    @classmethod
    def empty(cls, width: int) -> "Topics":
        """Create a classifier without topics, which doesn't influence the ranking of candidates.

        Args:
            width: Number of components of the encoder's vectors.
        """
        no_topics = np.zeros(0, np.float32)
        return cls((), no_topics, np.zeros((0, width), np.float32), no_topics)

    def classify(self, contexts: Floats) -> Floats:
        """Estimate the probability of each topic in each context.

        Args:
            contexts: Unit vectors of the contexts, [contexts, width].

        Returns:
            Probabilities of the topics, float32 [contexts, topics]. Each row sums to 1.
        """
        return softmax(contexts @ self.weights.T + self.bias)

    def locate_candidates(
        self, candidates: Sequence[Candidate], sources: Mapping[str, SourceInfo]
    ) -> CandidateTopics:
        """Compute the topics of an acronym's candidates from the sources that list them.

        The share of a topic grows with the logarithm of the candidate's count in the source.

        Args:
            candidates: The candidates, with their counts for each source.
            sources: A mapping from the names of the dictionary's sources to their descriptions.
                Counts of other sources are ignored.

        Returns:
            The share of each topic in each candidate.
        """
        cells: list[tuple[int, int, float]] = []
        for row, candidate in enumerate(candidates):
            of_candidate = [
                (index, log1p(count) * (COMMON if sources[source].kind == "common" else 1.0) * part)
                for source, count in candidate.counts.items()
                if source in sources
                for index, part in self._parts(source)
            ]
            total = sum(weight for _, weight in of_candidate)
            cells += [(row, index, weight / total) for index, weight in of_candidate]
        rows, topics, shares = np.array(cells, np.float64).reshape(-1, 3).T
        shape = len(candidates), len(self)
        return CandidateTopics(rows.astype(np.int64), topics.astype(np.int64), shares, shape)

    def _parts(self, source: str) -> tuple[tuple[int, float], ...]:
        """Return the topics of a source, each with its fraction of the source's share."""
        if source not in self._parts_of:
            names = (source, find_branch(source))
            topics = [self._index[name] for name in names if name in self._index]
            shares = (1 - BRANCH, BRANCH) if len(topics) > 1 else (1.0,)
            self._parts_of[source] = tuple(zip(topics, shares, strict=False))
        return self._parts_of[source]

    def score_agreement(self, candidates: CandidateTopics, document: Floats) -> Floats:
        """Score how well an acronym's candidates agree with the topics of a document.

        Args:
            candidates: Topics of the candidates, as returned by `locate_candidates`.
            document: Weights of the document's topics, [topics]. They need not sum to 1.

        Returns:
            Logarithm of each candidate's overlap with the document, float32 [candidates]. It is 0
            for all candidates if the classifier has no topics.
        """
        if not len(self):
            return np.zeros(candidates.shape[0], np.float32)
        informative = document / self.prior**FREQUENT
        overlap = candidates.overlap(informative / informative.sum())
        logs: Floats = np.log(overlap + SMOOTHING).astype(np.float32)
        return logs

    def field_shares(self, sources: Mapping[str, SourceInfo]) -> Floats:
        """Return the share of each subject field, such as "clinical", in each topic.

        The shares of a branch are the mean over the lists that belong to it. The result is cached
        for the most recent `sources`.

        Args:
            sources: A mapping from the names of the dictionary's sources to their descriptions.

        Returns:
            Shares of the fields, between 0 and 1, float32 [FIELDS, topics].
        """
        if self._fields is None or self._fields[0] is not sources:
            table = np.zeros((len(FIELDS), len(self)), np.float32)
            number = np.zeros(len(self), np.float32)
            for source_name, source in sources.items():
                for name in (source_name, find_branch(source_name)):
                    if (topic := self._index.get(name)) is not None:
                        table[:, topic] += [source.fields.get(field, 0.0) for field in FIELDS]
                        number[topic] += 1
            self._fields = sources, table / np.maximum(number, 1)
        return self._fields[1]

    def save(self, folder: Path) -> None:
        """Save the topic classifier to the file `topics.safetensors`, as 16-bit floats.

        Args:
            folder: Existing folder that contains the model's weights.
        """
        arrays = {"prior": self.prior, "weights": self.weights, "bias": self.bias}
        halves = {name: array.astype(np.float16) for name, array in arrays.items()}
        write_arrays(folder / NAME, halves, {"names": json.dumps(self.names)})

    @classmethod
    def load(cls, folder: Path, width: int) -> "Topics":
        """Load a topic classifier from the file `topics.safetensors`.

        Args:
            folder: Folder that contains the model's weights.
            width: Length of the encoder's vectors, for which the classifier must have been trained.

        Returns:
            The classifier. It has no topics if the folder doesn't contain the file.

        Raises:
            FormatError: If the file is damaged, or if its arrays don't fit together.
        """
        path = folder / NAME
        if not path.is_file():
            return cls.empty(width)
        with reading_tensors(path, "the file is damaged or has no topics") as file:
            arrays = [file.get_tensor(name) for name in ("prior", "weights", "bias")]
            topics = cls(json.loads(file.metadata()["names"]), *arrays)
        number = len(topics)
        if topics.weights.shape != (number, width) or topics.bias.shape != (number,):
            raise FormatError(
                f"{path}: the file is damaged, because its arrays differ in size. Download or copy "
                "the weights again."
            )
        return topics


def leave_one_out(
    words: Floats, topics: Sequence[CandidateTopics], probabilities: Sequence[Floats]
) -> list[Floats]:
    """Estimate the topics of a document once for each of its acronyms, without that acronym.

    The topics come from the document's words and from the candidates of its other acronyms. Leaving
    out an acronym keeps its candidates from influencing the topics that they are compared with.

    Args:
        words: Share of each topic, estimated from the document's words, [topics].
        topics: For each acronym, the topics of its candidates.
        probabilities: For each acronym, the probabilities of its candidates, [candidates].

    Returns:
        For each acronym, the weights of the document's topics without it, [topics].
    """
    parts = [item.mix(shares) for item, shares in zip(topics, probabilities, strict=True)]
    total = DOCUMENT_WORDS * words + np.sum(parts, axis=0)
    return [np.maximum(total - part, 1e-9) for part in parts]


def sum_folder_topics(
    topics: Mapping[str, Floats], total: Doubles, excluded: Collection[str]
) -> Floats:
    """Add up the topics of the acronyms in a folder, except the acronyms of one document.

    Args:
        topics: A mapping from each acronym of the folder to its topics, [topics].
        total: Sum of these topics over all acronyms, [topics]. Compute it once for all documents of
            the folder.
        excluded: Acronyms of the document, which are left out.

    Returns:
        Weights of the topics, float32 [topics]. They are scaled down if they sum to more than
        `FOLDER`. A single 0 if the folder has no acronyms.
    """
    parts = [topics[acronym] for acronym in {*excluded} & topics.keys()]
    rest = total - np.sum(parts, axis=0, dtype=np.float64)
    rest = np.maximum(rest, 0.0)  # rounding errors may be negative
    share = min(1.0, FOLDER / max(float(rest.sum()), 1e-6))
    return np.asarray(rest * share, dtype=np.float32)


def compute_field_topics(field: str, topics: Topics, sources: Mapping[str, SourceInfo]) -> Floats:
    """Compute the topics that the subject field of a document gives it.

    Args:
        field: The subject field, one of `settings.FIELDS`, such as "clinical".
        topics: The topic classifier, whose topics are sources of the dictionary.
        sources: A mapping from the names of the dictionary's sources to their descriptions.

    Returns:
        Weights of the topics, [topics], which sum to `STATED`. All weights are 0 if no topic
        belongs to the field.
    """
    shares = topics.field_shares(sources)[FIELDS.index(field)] * topics.prior
    weights: Floats = STATED * shares / max(float(shares.sum()), 1e-6)
    return weights
