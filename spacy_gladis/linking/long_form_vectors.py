"""Vectors of long forms, computed once: in memory, or in a file that processes share."""

import errno
import hashlib
import os
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from threading import Lock

import numpy as np

from ..arrays import Floats
from ..dictionary import Candidate, CandidateSource, Dictionary
from ..errors import InputError
from ..files import writing
from .acrobert import AcroBERT

_WRITING = Lock()
ADDED = 100_000
"""Vectors of long forms outside the dictionary kept in memory before they are dropped."""


class LongFormVectors:
    """Unit vectors of a dictionary's long forms, filled as they are asked for.

    The table is as long as the dictionary, yet takes memory (or disk) only for the rows in use.
    Vectors are kept in 16 bits and always read from there, so that a first and a later answer
    are the same.
    """

    def __init__(
        self, model: AcroBERT, source: CandidateSource, cache: Path | str | None = None
    ) -> None:
        """cache: a folder for the table, which then lasts and is shared; None keeps it in memory.

        The table's name holds fingerprints of the weights and the dictionary's file: changing
        either starts a new one.
        """
        self.model = model
        file = source if isinstance(source, Dictionary) else None
        shape = (len(file.long_forms) if file else 0, model.width)
        self._file: _File | None
        if cache is None:
            self._file, self._rows = None, np.zeros(shape, np.float16)
        else:
            content = file.file_fingerprint if file else ""
            key = f"{model.weights.fingerprint()} {content} {shape}"
            name = hashlib.sha256(key.encode()).hexdigest()[:24]
            self._file = _File(Path(cache) / f"vectors-{name}.f16", shape)
            self._rows = self._file.rows
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
        vectors[stored] = self._rows[rows[stored]]
        for index in np.flatnonzero(~stored):
            known = self._added.get(candidates[index].long_form)
            if known is not None:
                vectors[index] = known
        # A unit vector is never zero: a row of zeros is one that was not computed yet.
        missing = np.flatnonzero(~vectors.any(axis=1))
        if missing.size:
            vectors[missing] = self._compute([candidates[index] for index in missing])
        return vectors

    def _compute(self, candidates: list[Candidate]) -> Floats:
        glosses = {candidate.long_form: candidate.gloss for candidate in candidates}
        computed = self.model.sense_vectors([*glosses], [*glosses.values()])
        rounded = computed.astype(np.float16).astype(np.float32)
        by_name = dict(zip(glosses, rounded, strict=True))
        if len(self._added) > ADDED:
            self._added.clear()
        for candidate in candidates:
            vector = by_name[candidate.long_form]
            if candidate.index < 0:
                self._added[candidate.long_form] = vector
            elif self._file is None:
                self._rows[candidate.index] = vector
            else:
                self._file.write(candidate.index, vector)
        return np.stack([by_name[candidate.long_form] for candidate in candidates])


class _File:
    """A table in a file, made if it is not there; a file of another size is made anew.

    It is mapped for reading alone: where a disk is full, a write to mapped memory ends the process,
    one to the file is an error. Raises InputError where the file cannot be used.
    """

    def __init__(self, path: Path, shape: tuple[int, int]) -> None:
        self.path, size = path, shape[0] * shape[1] * 2
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.stat().st_size != size:
                # Two processes may do this at once: either file is empty and of the right size.
                with writing(path) as temporary, temporary.open("wb") as made:
                    made.truncate(size)
            self.file = path.open("r+b", buffering=0)
            mapped = np.memmap(self.file, dtype=np.float16, mode="r", shape=shape) if size else None
        except OSError as error:
            raise self._unusable(error) from None
        self.rows = np.zeros(shape, dtype=np.float16) if mapped is None else mapped

    def write(self, index: int, vector: Floats) -> None:
        data = vector.astype(np.float16).tobytes()
        try:
            written = self._put(index * len(data), data)
            if written < len(data):  # the disk was full in between: no half of a vector stays
                self._put(index * len(data), bytes(written))
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise self._unusable(error) from None

    def _put(self, at: int, data: bytes) -> int:
        if hasattr(os, "pwrite"):  # processes that were forked share the place in the file
            return os.pwrite(self.file.fileno(), data, at)
        with _WRITING:
            self.file.seek(at)
            return self.file.write(data)

    def _unusable(self, error: OSError) -> InputError:
        return InputError(
            f"the vector cache {self.path} cannot be used ({error}). Give a folder that can be "
            "written and has space."
        )
