"""Topics: what a document is about, in terms of the dictionary's sources.

Acronyms of one document belong together: HTN beside DM and CAD is hypertension, because lists of
cardiology, or a hospital's glossary, give all three. So the topics are the sources themselves. A
candidate is of the sources that give it. A document's topics start from what its words say and
take in what its other acronyms mean, in a fixed number of rounds: linear in mentions times
candidates.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from math import log1p
from pathlib import Path

import numpy as np

from ..arrays import Doubles, Floats
from ..dictionary import Candidate, SourceInfo
from ..errors import FormatError
from ..files import reading_tensors, write_arrays
from .calibration import softmax

NAME = "topics.safetensors"

COMMON = 1.5
"""How much more a common list says of a candidate's topic than another source does."""

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
    ) -> Floats:
        """How far each candidate is of each topic, float32 [candidates, topics].

        Rows sum to 1, or to 0 where no known source gives the candidate.
        """
        rows = np.zeros((len(candidates), len(self)), np.float32)
        cells = [
            (row, index, log1p(count) * (COMMON if source.kind == "common" else 1.0))
            for row, candidate in enumerate(candidates)
            for domain, count in candidate.counts.items()
            if (index := self._index.get(domain)) is not None and (source := sources.get(domain))
        ]
        if cells:
            at, topics, weights = zip(*cells, strict=True)
            rows[at, topics] = weights
        rows /= np.maximum(rows.sum(axis=1, keepdims=True), 1e-6)
        return rows

    def agreement(self, candidates: Floats, document: Floats) -> Floats:
        """The log of how much of the document's topics each candidate has, [candidates].

        candidates: [candidates, topics]. document: [topics], in any scale.
        """
        if not len(self):
            return np.zeros(len(candidates), np.float32)
        rare = document / self.prior**FREQUENT
        logs: Floats = np.log(candidates @ (rare / rare.sum()) + SMOOTHING).astype(np.float32)
        return logs

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
    own_words: Floats, topics: Sequence[Floats], probabilities: Sequence[Floats]
) -> list[Floats]:
    """A document's topics as each of its acronyms sees them: without itself, [topics] each.

    own_words: [topics], what the document's words say. topics, probabilities: of each acronym its
    candidates' topics [candidates, topics] and probabilities [candidates].
    """
    parts = [shares @ of for of, shares in zip(topics, probabilities, strict=True)]
    whole = OWN_WORDS * own_words + np.sum(parts, axis=0)
    return [np.maximum(whole - part, 1e-9) for part in parts]


def topics_beside(told: Mapping[str, Floats], whole: Doubles, own: Collection[str]) -> Floats:
    """What a folder's acronyms tell of its topics, but for a document's own, [topics].

    told: acronyms, and what each tells, [topics]. whole: the sum of that, added up once for all of
    the folder's documents.
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
    shares = fields_of_topics(field, topics, sources) * topics.prior
    added: Floats = STATED * shares / max(float(shares.sum()), 1e-6)
    return added


def fields_of_topics(field: str, topics: Topics, sources: Mapping[str, SourceInfo]) -> Floats:
    """How far each topic's source is of a field, 0..1, [topics]."""
    found = (
        sources[name].fields.get(field, 0.0) if name in sources else 0.0 for name in topics.names
    )
    return np.fromiter(found, np.float32, len(topics))
