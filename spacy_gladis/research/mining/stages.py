"""The stages of mining, functions over a shard, a piece or a bucket: split, extract, count."""

import gc
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from ...documents.lines import COMPRESSIONS, read_lines
from ...errors import require
from ...files import writing
from ...problem import Problem, ProblemLog
from ...text import Definition, find_definitions, merge_key, schwartz_hearst
from ..datasets.sample import Sample
from .engine import Outcome, Workspace
from .extract import MinedDefinition, extract_document
from .readers import Document, Piece, read_piece

if TYPE_CHECKING:
    import duckdb

RATIO = 4  # compressed JSON lines hold about so many times their size


def is_large(path: Path, piece_size: int) -> bool:
    """Whether a file of lines holds clearly more than `piece_size` bytes of text."""
    ratio = RATIO if path.suffix in COMPRESSIONS else 1
    return path.is_file() and path.stat().st_size * ratio > 2 * piece_size


def split_shard(root: Path, name: str, path: Path, piece_size: int, key: str) -> Outcome:
    """Cut a file of lines into pieces of about `piece_size` bytes: `pieces/NAME-00000.jsonl.zst`.

    The lines stay as they are; the statistics hold each piece's first line number.
    """
    zstandard = require("zstandard", "corpus")
    problems = ProblemLog()
    outputs: list[str] = []
    first_lines: list[int] = []
    lines = read_lines(path, problems)
    for first in lines:
        piece = f"pieces/{name}-{len(outputs):05}.jsonl.zst"
        compressor = zstandard.ZstdCompressor(level=1)
        with (
            writing(root / piece) as temporary,
            temporary.open("wb") as raw,
            compressor.stream_writer(raw) as file,
        ):
            size, expected = 0, first[0]
            for number, line in chain([first], lines):
                # A line too long was left out: a blank one keeps the others' numbers.
                size += file.write(b"\n" * (number - expected) + line + b"\n")
                expected = number + 1
                if size >= piece_size:
                    break
        outputs.append(piece)
        first_lines.append(first[0])
    return Workspace(root).done(key, outputs, {"first_lines": first_lines}, problems)


ROWS = 20_000  # of a batch on its way from the query to the file

# Sorted, so that equal definitions give equal bytes.
QUERY = """
    SELECT acronym, long_form, domain, count(*) AS frequency
    FROM read_parquet(?) WHERE bucket = ?
    GROUP BY ALL ORDER BY ALL
"""


def schema_of(record: type[tuple[Any, ...]], whole: str = "int32") -> Any:
    """The Parquet schema of a named tuple's fields, whole numbers in the type `whole`."""
    pyarrow = require("pyarrow", "corpus")
    types = {str: pyarrow.string(), int: getattr(pyarrow, whole)()}
    return pyarrow.schema([(name, types[kind]) for name, kind in record.__annotations__.items()])


class Count(NamedTuple):
    """How often a domain defines an acronym by a long form, as it is spelt."""

    acronym: str
    long_form: str
    domain: str
    frequency: int
    merge_key: str


@contextmanager
def connect(memory: int, root: Path) -> "Iterator[duckdb.DuckDBPyConnection]":
    """A DuckDB connection that holds `memory` bytes at most and spills the rest below `root`."""
    with TemporaryDirectory(dir=root, prefix=".spill-") as spill:
        config = {
            "memory_limit": f"{memory // 1_000_000}MB",
            "temp_directory": spill,
            "threads": 1,  # the buckets run beside each other instead
        }
        with require("duckdb", "corpus").connect(config=config) as connection:
            yield connection


def count_bucket(root: Path, bucket: int, files: list[str], memory: int, key: str) -> Outcome:
    """Write `counts/BUCKET.parquet`: a row for each acronym, long form and domain, sorted.

    `files` are the definitions' files within the workspace; `memory` is in bytes. Spellings with
    one merge key are one long form (GLADIS, section 3.1).
    """
    import pyarrow
    from pyarrow import parquet

    output = f"counts/{bucket:03}.parquet"
    schema = schema_of(Count, "int64")
    total = 0
    with (
        connect(memory, root) as connection,
        writing(root / output) as temporary,
        parquet.ParquetWriter(temporary, schema, compression="zstd") as file,
    ):
        result = connection.execute(QUERY, [[str(root / name) for name in files], bucket])
        while rows := result.fetchmany(ROWS):
            acronyms, long_forms, domains, counts = zip(*rows, strict=True)
            columns = [acronyms, long_forms, domains, counts, list(map(merge_key, long_forms))]
            file.write_table(pyarrow.table(columns, schema=schema))
            total += len(rows)
    return Workspace(root).done(key, [output], {"rows": total}, ProblemLog())


def read_counts(path: Path) -> Iterator[Count]:
    """Yield the counts of one bucket's file, sorted by acronym, long form and domain."""
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS):
            yield from map(Count._make, zip(*batch.to_pydict().values(), strict=True))


HELD = 50_000  # rows in memory before they are written

REPEATED = ["acronym", "domain", "kind"]  # columns whose values repeat: each stored once


@lru_cache(maxsize=1 << 16)
def bucket_of(acronym: str, buckets: int) -> int:
    """The bucket of an acronym: all its rows are in one, the same on every machine."""
    return zlib.crc32(acronym.encode()) % buckets


class BucketWriter:
    """Writes named tuples of a kind, whose first field is the acronym, a row group a bucket.

    Rows of a bucket keep their order. More than `HELD` rows are written in several rounds.
    """

    def __init__(self, path: Path, record: type[tuple[Any, ...]], buckets: int) -> None:
        self._arrow, parquet = (require(one, "corpus") for one in ("pyarrow", "pyarrow.parquet"))
        bucket = self._arrow.field("bucket", self._arrow.uint16())
        self._schema = schema_of(record).insert(0, bucket)
        self._file = parquet.ParquetWriter(
            path,
            self._schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=[name for name in REPEATED if name in self._schema.names],
            write_statistics=["bucket"],
        )
        self._rows: list[list[tuple[Any, ...]]] = [[] for _ in range(buckets)]
        self._held = 0

    def __enter__(self) -> "BucketWriter":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self.flush()
        finally:
            self._file.close()

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        number = len(self._rows)
        for row in rows:
            self._rows[bucket_of(row[0], number)].append(row)
            self._held += 1
        if self._held >= HELD:
            self.flush()

    def flush(self) -> None:
        """Write the rows that are held."""
        for bucket, rows in enumerate(self._rows):
            if rows:
                columns = [[bucket] * len(rows), *zip(*rows, strict=True)]
                table = self._arrow.table(columns, schema=self._schema)
                self._file.write_table(table, row_group_size=len(rows))
                rows.clear()
        self._held = 0


RULES = {"schwartz_hearst": schwartz_hearst, "find_definitions": find_definitions}


PIECE_SIZE = 256_000_000


class MiningSettings(NamedTuple):
    """What the results depend on, besides the input. A workspace keeps those it was begun with."""

    rules: str = "schwartz_hearst"
    buckets: int = 64
    piece_size: int = PIECE_SIZE  # bytes of text, at which large shards are split
    domain: str | None = None  # of documents that name none


def extract_piece(root: Path, piece: Piece, settings: MiningSettings, key: str) -> Outcome:
    """Write `definitions/NAME.parquet` and `samples/NAME.parquet` of one piece.

    The statistics count, by domain, the documents, their characters, the definitions and
    the samples. A document at which the rules fail is a problem, not the end of the piece.
    """
    problems = ProblemLog()
    domains: dict[str, Counter[str]] = {}
    outputs = [f"{folder}/{piece.name}.parquet" for folder in ("definitions", "samples")]
    with (
        _no_collection(),
        writing(root / outputs[0]) as definitions_path,
        writing(root / outputs[1]) as samples_path,
        BucketWriter(definitions_path, MinedDefinition, settings.buckets) as definitions_file,
        BucketWriter(samples_path, Sample, settings.buckets) as samples_file,
    ):
        documents = read_piece(piece, problems)
        for document, definitions, samples in extract_all(
            documents, RULES[settings.rules], problems, piece.source
        ):
            definitions_file.add(definitions)
            samples_file.add(samples)
            domains.setdefault(document.domain, Counter()).update(
                documents=1,
                characters=len(document.text),
                definitions=len(definitions),
                samples=len(samples),
            )
    return Workspace(root).done(key, outputs, {"domains": domains}, problems)


def extract_all(
    documents: Iterable[Document],
    find: Callable[[str], list[Definition]],
    problems: ProblemLog,
    source: Path,
) -> Iterator[tuple[Document, list[MinedDefinition], list[Sample]]]:
    """What the documents of a source give; one at which the rules fail is a problem."""
    for document in documents:
        try:
            definitions, samples = extract_document(document, find)
        except Exception as error:  # a rule's bug must not cost the whole piece
            detail = f"{document.id}: {type(error).__name__}: {error}"
            problems(Problem("extraction failed", str(source), 0, detail))
            continue
        yield document, definitions, samples


@contextmanager
def _no_collection() -> Iterator[None]:
    """Rows wait by thousands and have no cycles: looking for some takes a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
