"""Topics: what a document is about, in terms of the dictionary's sources.

Acronyms of one document belong together: HTN beside DM and CAD is hypertension, because lists of
cardiology, or a hospital's glossary, give all three. So the topics are the sources themselves, and
the branches of the common lists: two narrow lists of medicine have their branch in common. A
candidate is of the sources that give it. A document's topics start from what its words say and
take in what its other acronyms mean, in a fixed number of rounds: linear in mentions times
the sources of their candidates.
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
"""How much more a common list says of a candidate's topic than another source does."""

BRANCH = 0.5
"""What part of a list's share is its branch's."""

OWN_WORDS = 1.0
"""How many acronyms the document's words weigh as much as."""

FREQUENT = 0.5
"""The power of a topic's prior by which its share in a document is divided: that a document is
about what most texts are about tells little."""

BESIDE = 10
"""How many acronyms the others of a folder weigh as much as, at most."""

STATED = 5.0
"""How many acronyms it weighs as much as, that somebody says what field a text is of."""

SMOOTHING = 3e-3
"""Added to a probability before its logarithm is taken, which else may be of 0."""


class CandidateTopics(NamedTuple):
    """How far each of so many candidates is of which topics: what is not zero, in single cells.

    rows, topics: of each cell. shares: of each cell; those of a row sum to 1, or there are none
    where no known source gives the candidate. shape: (candidates, topics).
    """

    rows: Ints
    topics: Ints
    shares: Doubles
    shape: tuple[int, int]

    def mix(self, probabilities: Floats) -> Floats:
        """The topics of candidates that are meant with these probabilities [candidates],
        float32 [topics]."""
        weights = self.shares * probabilities[self.rows]
        return np.bincount(self.topics, weights, self.shape[1]).astype(np.float32)

    def of(self, document: Floats) -> Floats:
        """How much of a document's topics [topics] each candidate has, float32 [candidates]."""
        weights = self.shares * document[self.topics]
        return np.bincount(self.rows, weights, self.shape[0]).astype(np.float32)


@lru_cache(1 << 14)
def branch_of(source: str) -> str:
    """The branch of a common list by its source's name, "" where it has none.

    "common: health/medicine/lymphoma" is of "common: health/medicine".
    """
    return source.rpartition("/")[0] if source.startswith("common: ") else ""


class Topics:
    """The topics that are known, and a classifier of contexts: a softmax over linear scores.

    names: of the sources. prior: [topics], how frequent each is, sums to 1. weights: [topics,
    width]. bias: [topics].
    """

    def __init__(self, names: Sequence[str], prior: Floats, weights: Floats, bias: Floats) -> None:
        self.names = tuple(names)
        self.prior, self.weights, self.bias = (
            np.asarray(array, np.float32) for array in (prior, weights, bias)
        )
        self._index = {name: number for number, name in enumerate(self.names)}
        self._parts_of: dict[str, tuple[tuple[int, float], ...]] = {}
        self._fields: tuple[Mapping[str, SourceInfo], Floats] | None = None

    def __len__(self) -> int:
        return len(self.names)

    @classmethod
    def empty(cls, width: int) -> "Topics":
        """None at all: every candidate agrees with every document."""
        nothing = np.zeros(0, np.float32)
        return cls((), nothing, np.zeros((0, width), np.float32), nothing)

    def of_contexts(self, contexts: Floats) -> Floats:
        """Probabilities [n, topics] of contexts' unit vectors [n, width]."""
        return softmax(contexts @ self.weights.T + self.bias)

    def of_candidates(
        self, candidates: Sequence[Candidate], sources: Mapping[str, SourceInfo]
    ) -> CandidateTopics:
        """How far each candidate is of each topic: by its counts in the topic's source."""
        cells: list[tuple[int, int, float]] = []
        for row, candidate in enumerate(candidates):
            own = [
                (index, log1p(count) * (COMMON if sources[source].kind == "common" else 1.0) * part)
                for source, count in candidate.counts.items()
                if source in sources
                for index, part in self._parts(source)
            ]
            whole = sum(weight for _, weight in own)
            cells += [(row, index, weight / whole) for index, weight in own]
        rows, topics, shares = np.array(cells, np.float64).reshape(-1, 3).T
        places = rows.astype(np.int64), topics.astype(np.int64)
        return CandidateTopics(*places, shares, (len(candidates), len(self)))

    def _parts(self, source: str) -> tuple[tuple[int, float], ...]:
        """The topics that a source is of, each with its part; remembered."""
        if source not in self._parts_of:
            names = (source, branch_of(source))
            known = [self._index[name] for name in names if name in self._index]
            shares = (1 - BRANCH, BRANCH) if len(known) > 1 else (1.0,)
            self._parts_of[source] = tuple(zip(known, shares, strict=False))
        return self._parts_of[source]

    def agreement(self, candidates: CandidateTopics, document: Floats) -> Floats:
        """The log of how much of the document's topics each candidate has, [candidates].

        document: [topics], in any scale.
        """
        if not len(self):
            return np.zeros(candidates.shape[0], np.float32)
        rare = document / self.prior**FREQUENT
        logs: Floats = np.log(candidates.of(rare / rare.sum()) + SMOOTHING).astype(np.float32)
        return logs

    def fields(self, sources: Mapping[str, SourceInfo]) -> Floats:
        """How far each topic is of each of FIELDS, 0..1, float32 [fields, topics].

        A branch is of the fields of all its lists. Remembered for the sources that were last asked.
        """
        if self._fields is None or self._fields[0] is not sources:
            table = np.zeros((len(FIELDS), len(self)), np.float32)
            number = np.zeros(len(self), np.float32)
            for listed, source in sources.items():
                for name in (listed, branch_of(listed)):
                    if (topic := self._index.get(name)) is not None:
                        table[:, topic] += [source.fields.get(field, 0.0) for field in FIELDS]
                        number[topic] += 1
            self._fields = sources, table / np.maximum(number, 1)
        return self._fields[1]

    def save(self, folder: Path) -> None:
        """Write `topics.safetensors`."""
        arrays = {"prior": self.prior, "weights": self.weights, "bias": self.bias}
        halves = {name: array.astype(np.float16) for name, array in arrays.items()}
        write_arrays(folder / NAME, halves, {"names": json.dumps(self.names)})

    @classmethod
    def load(cls, folder: Path, width: int) -> "Topics":
        """Read `topics.safetensors`; none where there is no file, FormatError if it is damaged."""
        path = folder / NAME
        if not path.is_file():
            return cls.empty(width)
        with reading_tensors(path, "no topics, or a damaged file") as file:
            arrays = [file.get_tensor(name) for name in ("prior", "weights", "bias")]
            found = cls(json.loads(file.metadata()["names"]), *arrays)
        number = len(found)
        if found.weights.shape != (number, width) or found.bias.shape != (number,):
            raise FormatError(f"{path}: tables of another size; the file is damaged")
        return found


def without_itself(
    own_words: Floats, topics: Sequence[CandidateTopics], probabilities: Sequence[Floats]
) -> list[Floats]:
    """A document's topics as each of its acronyms sees them: without itself, [topics] each.

    own_words: [topics], what the document's words say. topics, probabilities: of each acronym its
    candidates' topics and probabilities [candidates].
    """
    parts = [of.mix(shares) for of, shares in zip(topics, probabilities, strict=True)]
    whole = OWN_WORDS * own_words + np.sum(parts, axis=0)
    return [np.maximum(whole - part, 1e-9) for part in parts]


def topics_beside(told: Mapping[str, Floats], whole: Doubles, own: Collection[str]) -> Floats:
    """What a folder's acronyms tell of its topics, but for a document's own, [topics].

    told: acronyms, and what each tells, [topics]; without any the answer is a single 0. whole: the
    sum of that, added up once for all of the folder's documents.
    """
    parts = [told[acronym] for acronym in {*own} & told.keys()]
    rest = whole - np.sum(parts, axis=0, dtype=np.float64)
    rest = np.maximum(rest, 0.0)  # what is left of rounding
    share = min(1.0, BESIDE / max(float(rest.sum()), 1e-6))
    return np.asarray(rest * share, dtype=np.float32)


def stated_topics(field: str, topics: Topics, sources: Mapping[str, SourceInfo]) -> Floats:
    """What a stated field adds to a document's topics, [topics]; its sum is STATED.

    A topic has the part of its prior that its source is of the field; where none is of it, nothing
    is added.
    """
    shares = topics.fields(sources)[FIELDS.index(field)] * topics.prior
    added: Floats = STATED * shares / max(float(shares.sum()), 1e-6)
    return added
