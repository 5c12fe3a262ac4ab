"""A cache for the vectors of long forms, in memory or in a file that several processes share."""

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
"""Number of cached vectors for long forms that are not in the dictionary file. If there are more,
all of these vectors are deleted before new ones are added."""


class LongFormVectors:
    """A cache for the vectors of a dictionary's long forms, which are computed on first use.

    The cache has a row for each long form of the dictionary, but only the rows that are used need
    memory or disk space. Vectors are rounded to 16-bit floats when they are computed, so the first
    call returns the same values as later calls.
    """

    def __init__(
        self, model: AcroBERT, source: CandidateSource, cache: Path | str | None = None
    ) -> None:
        """Open a cache for the vectors of a dictionary's long forms.

        Args:
            model: The model that encodes long forms which aren't cached.
            source: The dictionary. For another source of candidates, all vectors are cached in
                memory.
            cache: Folder for a file that keeps the vectors between runs and shares them between
                processes. The name of the file depends on the weights and on the dictionary file,
                so a change of either starts a new file. None to keep the vectors in memory.

        Raises:
            InputError: If the file in `cache` cannot be read or written.
        """
        self.model = model
        dictionary = source if isinstance(source, Dictionary) else None
        shape = (len(dictionary.long_forms) if dictionary else 0, model.width)
        self._file: _File | None
        if cache is None:
            self._file, self._rows = None, np.zeros(shape, np.float16)
        else:
            content = dictionary.file_fingerprint if dictionary else ""
            key = f"{model.weights.fingerprint()} {content} {shape}"
            name = hashlib.sha256(key.encode()).hexdigest()[:24]
            self._file = _File(Path(cache) / f"vectors-{name}.f16", shape)
            self._rows = self._file.rows
        self._added: dict[str, Floats] = {}

    def copy(self) -> "LongFormVectors":
        """Return a cache that shares the vectors of the dictionary's long forms with this cache.

        The new cache starts without vectors of user entries.
        """
        other = copy(self)
        other._added = {}
        return other

    def get(self, candidates: Sequence[Candidate]) -> Floats:
        """Return the vectors of candidates, and compute those that are not cached yet.

        Args:
            candidates: Candidates of any acronyms. A candidate from the dictionary file is looked
                up by its index, and any other candidate by its long form.

        Returns:
            A vector for each candidate, float32 [candidates, width].
        """
        rows = np.array([candidate.index for candidate in candidates], dtype=np.int64)
        has_row = rows >= 0
        vectors = np.zeros((len(rows), self.model.width), dtype=np.float32)
        vectors[has_row] = self._rows[rows[has_row]]
        for index in np.flatnonzero(~has_row):
            vector = self._added.get(candidates[index].long_form)
            if vector is not None:
                vectors[index] = vector
        # The vector of a long form is never zero, so a row of zeros has not been computed yet.
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
    """A file with a table of vectors, which is created if it is missing or has the wrong size.

    The file is mapped into memory only for reading. If the disk is full, writing to mapped memory
    would kill the process, while writing to the file raises an error.
    """

    def __init__(self, path: Path, shape: tuple[int, int]) -> None:
        self.path, size = path, shape[0] * shape[1] * 2
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.stat().st_size != size:
                # Two processes may do this at once. Both files are empty, so it doesn't matter
                # which of them remains.
                with writing(path) as temporary, temporary.open("wb") as file:
                    file.truncate(size)
            self.file = path.open("r+b", buffering=0)
            mapped = np.memmap(self.file, dtype=np.float16, mode="r", shape=shape) if size else None
        except OSError as error:
            raise self._unusable(error) from None
        self.rows = np.zeros(shape, dtype=np.float16) if mapped is None else mapped

    def write(self, index: int, vector: Floats) -> None:
        data = vector.astype(np.float16).tobytes()
        try:
            written = self._put(index * len(data), data)
            if written < len(data):  # the disk is full: clear the incomplete vector
                self._put(index * len(data), bytes(written))
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise self._unusable(error) from None

    def _put(self, offset: int, data: bytes) -> int:
        if hasattr(os, "pwrite"):  # forked processes share the file position, so don't use it
            return os.pwrite(self.file.fileno(), data, offset)
        with _WRITING:
            self.file.seek(offset)
            return self.file.write(data)

    def _unusable(self, error: OSError) -> InputError:
        return InputError(
            f"The vector cache {self.path} cannot be used ({error}). Set `cache` to a writable "
            "folder with enough space."
        )
