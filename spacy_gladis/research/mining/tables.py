"""The mined rows as Parquet files, in the order of their buckets: a row group a bucket."""

import zlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any

from ...errors import require

HELD = 50_000  # rows in memory before they are written

DEFINITIONS = {"acronym": "string", "long_form": "string", "domain": "string", "document": "string"}
SAMPLES = {
    "acronym": "string",
    "long_form": "string",
    "text": "string",
    "start": "int32",
    "end": "int32",
    "domain": "string",
    "kind": "string",
    "document": "string",
}
REPEATED = ["acronym", "domain", "kind"]  # columns whose values repeat: each stored once


@lru_cache(maxsize=1 << 16)
def bucket_of(acronym: str, buckets: int) -> int:
    """The bucket of an acronym: all its rows are in one, the same on every machine."""
    return zlib.crc32(acronym.encode()) % buckets


class BucketWriter:
    """Writes rows (tuples in the order of `columns`, the acronym first), a row group a bucket.

    Rows of a bucket keep their order. More than `HELD` rows are written in several rounds.
    """

    def __init__(self, path: Path, columns: dict[str, str], buckets: int) -> None:
        pyarrow, parquet = (require(one, "corpus") for one in ("pyarrow", "pyarrow.parquet"))
        self._arrow = pyarrow
        self._buckets = buckets
        types = {"bucket": "uint16", **columns}
        self._schema = pyarrow.schema([(name, getattr(pyarrow, types[name])()) for name in types])
        self._file = parquet.ParquetWriter(
            path,
            self._schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=[name for name in REPEATED if name in columns],
            write_statistics=["bucket"],
        )
        self._rows: list[list[tuple[Any, ...]]] = [[] for _ in range(buckets)]
        self._held = 0

    def __enter__(self) -> "BucketWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                self._flush()
        finally:
            self._file.close()

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Take rows in."""
        buckets, number = self._rows, self._buckets
        for row in rows:
            buckets[bucket_of(row[0], number)].append(row)
            self._held += 1
        if self._held >= HELD:
            self._flush()

    def _flush(self) -> None:
        """Write what is held."""
        for bucket, rows in enumerate(self._rows):
            if rows:
                columns = [[bucket] * len(rows), *zip(*rows, strict=True)]
                arrays = [
                    self._arrow.array(column, type=field.type)
                    for column, field in zip(columns, self._schema, strict=True)
                ]
                batch = self._arrow.RecordBatch.from_arrays(arrays, schema=self._schema)
                self._file.write_batch(batch, row_group_size=len(rows))
                rows.clear()
        self._held = 0
