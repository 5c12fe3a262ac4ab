"""Vectors of long forms, computed once: in memory, or in a file that processes share."""

import hashlib
from collections.abc import Sequence
from copy import copy
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..dictionary import Candidate, Dictionary
from ..errors import InputError
from ..files import writing
from .acrobert import AcroBERT

ADDED = 100_000
"""Vectors of long forms outside the dictionary kept in memory before they are dropped."""


class LongFormVectors:
    """Unit vectors of a dictionary's long forms, filled as they are asked for.

    The table is as long as the dictionary, yet takes memory (or disk) only for the rows in use.
    Vectors are kept in 16 bits and always read from there, so that a first and a later answer
    are the same.
    """

    def __init__(
        self, model: AcroBERT, dictionary: Dictionary, cache: Path | str | None = None
    ) -> None:
        """cache: a folder for the table, which then lasts and is shared; None keeps it in memory.

        The table's name holds fingerprints of the weights and the dictionary: changing either
        starts a new one.
        """
        self.model = model
        shape = (len(dictionary.long_forms), model.width)
        if cache is None:
            self._table = np.zeros(shape, dtype=np.float16)
        else:
            key = f"{model.fingerprint()} {dictionary.fingerprint} {shape}"
            name = hashlib.sha256(key.encode()).hexdigest()[:24]
            self._table = _map(Path(cache), f"vectors-{name}.f16", shape)
        self._added: dict[str, Floats] = {}

    def copy(self) -> "LongFormVectors":
        """The same table, with vectors of its own for long forms outside the dictionary."""
        made = copy(self)
        made._added = {}
        return made

    def get(self, candidates: Sequence[Candidate]) -> Floats:
        """Vectors of the candidates, float32 [n, width]."""
        rows = np.array([candidate.index for candidate in candidates], dtype=np.int64)
        stored = rows >= 0
        vectors = np.zeros((len(rows), self.model.width), dtype=np.float32)
        vectors[stored] = self._table[rows[stored]]
        for index in np.flatnonzero(~stored):
            known = self._added.get(candidates[index].long_form)
            if known is not None:
                vectors[index] = known
        # A unit vector is never zero: a row of zeros is one that was not computed yet.
        missing = np.flatnonzero(~vectors.any(axis=1))
        if missing.size:
            fresh = self._compute([candidates[index] for index in missing])
            vectors[missing] = fresh
        return vectors

    def _compute(self, candidates: list[Candidate]) -> Floats:
        names = list(dict.fromkeys(candidate.long_form for candidate in candidates))
        computed = self.model.long_form_vectors(names).astype(np.float16).astype(np.float32)
        by_name = dict(zip(names, computed, strict=True))
        if len(self._added) > ADDED:
            self._added.clear()
        for candidate in candidates:
            if candidate.index >= 0:
                self._table[candidate.index] = by_name[candidate.long_form]
            else:
                self._added[candidate.long_form] = by_name[candidate.long_form]
        return np.stack([by_name[candidate.long_form] for candidate in candidates])


def _map(folder: Path, name: str, shape: tuple[int, int]) -> NDArray[np.float16]:
    """The table in a file, made if it is not there; a file of another size is made anew."""
    path = folder / name
    size = shape[0] * shape[1] * 2
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not size:
            return np.zeros(shape, dtype=np.float16)
        if not path.is_file() or path.stat().st_size != size:
            # Two processes may do this at once: either file is empty and of the right size.
            with writing(path) as temporary, temporary.open("wb") as file:
                file.truncate(size)
        return np.memmap(path, dtype=np.float16, mode="r+", shape=shape)
    except OSError as error:
        raise InputError(
            f"the vector cache {path} cannot be used ({error}). Give a folder that can be written."
        ) from None
