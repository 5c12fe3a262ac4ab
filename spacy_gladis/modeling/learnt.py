"""What labelled texts taught of a long form: a vector, trained by the gradients of what is served.

Its product with a context's vector, times GAIN, is added to the long form's logit. A vector starts
at zero, so that nothing changes that was not taught. The encoder stays as it is: every vector of a
long form and every centroid that it made before stays valid.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..arrays import Floats
from ..errors import FormatError
from ..files import reading_tensors, write_arrays
from .coded_vectors import REMEMBERED, sense_key

NAME = "learnt.safetensors"

GAIN = 44.0
"""So large that the usual rate of spaCy's Adam, 0.001, teaches a sense in some eighty steps: a unit
vector's numbers are near 0.05."""


class LearntSenses:
    """Trained vectors of long forms, under the hashes of their merge keys.

    vectors: {sense key: vector [width]}. gradients: of the same shapes, summed until an optimizer
    takes them.
    """

    def __init__(self, vectors: dict[int, Floats] | None = None) -> None:
        self.vectors = {} if vectors is None else vectors
        self.gradients: dict[int, Floats] = {}

    def __len__(self) -> int:
        return len(self.vectors)

    def add(self, keys: Iterable[int], width: int) -> None:
        """Let the senses of these keys be taught from now on; those that are known stay."""
        for key in keys:
            self.vectors.setdefault(key, np.zeros(width, np.float32))

    def compare(self, keys: Sequence[int], query: Floats) -> Floats:
        """What is added to each sense's logit in a context, float32 [keys]; 0 if never taught.

        query: the context's vector [width].
        """
        found = np.zeros(len(keys), np.float32)
        for index, key in enumerate(keys):
            if (vector := self.vectors.get(key)) is not None:
                found[index] = GAIN * (vector @ query)
        return found

    def backward(self, keys: Sequence[int], query: Floats, gradients: Floats) -> None:
        """Add up the gradients of the vectors, given those of what `compare` returned."""
        for key, gradient in zip(keys, gradients, strict=True):
            if key in self.vectors:
                self.gradients[key] = self.gradients.get(key, 0) + GAIN * gradient * query

    def save(self, folder: Path) -> None:
        """Write `learnt.safetensors`."""
        keys = sorted(self.vectors)
        matrix = np.stack([self.vectors[key] for key in keys])
        write_arrays(folder / NAME, {"keys": np.array(keys, np.uint64), "vectors": matrix})

    @classmethod
    def load(cls, folder: Path, width: int) -> "LearntSenses":
        """Read `learnt.safetensors`; nothing learnt where there is none, FormatError if damaged."""
        path = folder / NAME
        if not path.is_file():
            return cls()
        with reading_tensors(path, "no learnt senses, or damaged ones") as file:
            keys, matrix = file.get_tensor("keys"), file.get_tensor("vectors")
        if matrix.shape != (len(keys), width):
            raise FormatError(f"{path}: tables of another size; the file is damaged")
        return cls(dict(zip(keys.tolist(), matrix.astype(np.float32), strict=True)))


@lru_cache(REMEMBERED)
def learnt_key(long_form: str) -> int:
    """The key of a long form: `sense_key`, remembered."""
    return sense_key(long_form)
