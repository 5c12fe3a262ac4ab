"""Fields of knowledge: which one a document is of, and which ones a candidate belongs to.

Acronyms of one document belong together: HTN beside DM and CAD is hypertension, because the three
have a field in common. A candidate's fields are those of the sources that give it. A document's
fields start from what its words say and take in what its other acronyms mean, in a fixed number of
rounds: linear in mentions times candidates.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ..dictionary import Candidate, SourceInfo
from ..errors import FormatError
from ..files import writing
from .calibration import Floats

NAME = "fields.safetensors"

FIELDS = (
    "aerospace",
    "business",
    "clinical",
    "computing",
    "education",
    "engineering",
    "environment",
    "everyday",
    "government",
    "hardware",
    "learning",
    "life",
    "physical",
    "security",
)

UNKNOWN = 0.15
"""What each field of a candidate has without any source that speaks for it."""

COMMON = 1.5
"""How much more a common list says of a candidate's field than a count does."""

OWN_WORDS = 1.0
"""How many acronyms the document's words weigh as much as."""

FLOOR = 1e-3


class FieldClassifier:
    """Tells a text's field from the vector of a context: a softmax over linear scores.

    weights: [fields, width]. bias: [fields]. Without any, all fields are equally likely.
    """

    def __init__(self, weights: Floats, bias: Floats) -> None:
        self.weights, self.bias = weights, bias

    @classmethod
    def empty(cls, width: int) -> "FieldClassifier":
        """One that knows nothing."""
        return cls(np.zeros((len(FIELDS), width), np.float32), np.zeros(len(FIELDS), np.float32))

    def probabilities(self, contexts: Floats) -> Floats:
        """Probabilities [n, fields] of contexts' unit vectors [n, width]."""
        scores = contexts @ self.weights.T + self.bias
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities: Floats = scores / scores.sum(axis=1, keepdims=True)
        return probabilities

    def save(self, folder: Path) -> None:
        """Write `fields.safetensors`."""
        from safetensors.numpy import save_file

        with writing(folder / NAME) as temporary:
            save_file({"weights": self.weights, "bias": self.bias}, temporary)

    @classmethod
    def load(cls, folder: Path, width: int) -> "FieldClassifier":
        """Read `fields.safetensors`; an empty one where there is none, FormatError if damaged."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        path = folder / NAME
        if not path.is_file():
            return cls.empty(width)
        try:
            arrays = load_file(path)
            found = cls(arrays["weights"], arrays["bias"])
        except (SafetensorError, KeyError, OSError) as error:
            raise FormatError(f"{path}: no field classifier, or a damaged one ({error})") from None
        if found.weights.shape != (len(FIELDS), width) or found.bias.shape != (len(FIELDS),):
            raise FormatError(f"{path}: tables of another size; the file is damaged")
        return found


def candidate_fields(candidates: Sequence[Candidate], sources: Mapping[str, SourceInfo]) -> Floats:
    """How far each candidate belongs to each field, float32 [candidates, fields]; rows sum to 1."""
    shares = np.full((len(candidates), len(FIELDS)), UNKNOWN, np.float32)
    place = {name: number for number, name in enumerate(FIELDS)}
    for row, candidate in zip(shares, candidates, strict=True):
        for domain, count in candidate.counts.items():
            source = sources.get(domain)
            if source is None:
                continue
            weight = np.log1p(count) * (COMMON if source.kind == "common" else 1.0)
            for field, share in source.fields.items():
                if field in place:
                    row[place[field]] += weight * share
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def agreement(fields: Floats, mixture: Floats) -> Floats:
    """How much likelier each candidate is in a text of these fields than in any, log [candidates].

    fields: [candidates, fields]. mixture: [fields], sums to 1.
    """
    likelier: Floats = np.log(fields @ mixture * len(FIELDS) + FLOOR).astype(np.float32)
    return likelier


def mixtures_without(
    own_words: Floats, fields: Sequence[Floats], probabilities: Sequence[Floats]
) -> list[Floats]:
    """The mixture of fields of a document as each of its acronyms sees it: without itself.

    own_words: [fields], what the document's words say. fields, probabilities: of each acronym its
    candidates' fields [candidates, fields] and probabilities [candidates].
    """
    parts = [shares @ of for of, shares in zip(fields, probabilities, strict=True)]
    whole = OWN_WORDS * own_words + np.sum(parts, axis=0) if parts else OWN_WORDS * own_words
    rest = [np.maximum(whole - part, 0) for part in parts]
    return [one / one.sum() for one in rest]
