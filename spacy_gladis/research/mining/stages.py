"""The stages of mining (split, extract, count), as functions of a shard, a piece or a bucket."""

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

RATIO = 4  # approximate compression ratio of JSON lines


def is_large(path: Path, piece_size: int) -> bool:
    """Return whether a file of lines has clearly more text than fits into a piece.

    Args:
        path: Path of the file. The text size of a compressed file is estimated.
        piece_size: Size of a piece, in bytes of text.
    """
    ratio = RATIO if path.suffix in COMPRESSIONS else 1
    return path.is_file() and path.stat().st_size * ratio > 2 * piece_size


def split_shard(root: Path, name: str, path: Path, piece_size: int, key: str) -> Outcome:
    """Split a file of lines into pieces `pieces/NAME-00000.jsonl.zst`, with unchanged lines.

    Args:
        root: Folder of the workspace.
        name: The shard's name.
        path: The shard.
        piece_size: Approximate size of a piece, in bytes of text.
        key: The task's key.

    Returns:
        The outcome. Its statistics have the number of each piece's first line.
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
                # Replace a skipped line, which was too long, to keep the line numbers.
                size += file.write(b"\n" * (number - expected) + line + b"\n")
                expected = number + 1
                if size >= piece_size:
                    break
        outputs.append(piece)
        first_lines.append(first[0])
    return Workspace(root).done(key, outputs, {"first_lines": first_lines}, problems)


ROWS = 20_000  # rows of a batch between the query and the file

# Sorted, so that equal definitions give equal bytes.
QUERY = """
    SELECT acronym, long_form, domain, count(*) AS frequency
    FROM read_parquet(?) WHERE bucket = ?
    GROUP BY ALL ORDER BY ALL
"""


def schema_of(record: type[tuple[Any, ...]], whole: str = "int32") -> Any:
    """Return the Parquet schema of a named tuple's fields.

    Args:
        record: The named tuple's class, with fields of type `str` or `int`.
        whole: Name of Arrow's type for integers.
    """
    pyarrow = require("pyarrow", "corpus")
    types = {str: pyarrow.string(), int: getattr(pyarrow, whole)()}
    return pyarrow.schema([(name, types[kind]) for name, kind in record.__annotations__.items()])


class Count(NamedTuple):
    """How often documents of a domain define an acronym with a spelling of a long form.

    Attributes:
        acronym: The acronym.
        long_form: Spelling of the long form.
        domain: The domain.
        frequency: Number of definitions.
        merge_key: The key that spelling variants of a long form share.
    """

    acronym: str
    long_form: str
    domain: str
    frequency: int
    merge_key: str


@contextmanager
def connect(memory: int, root: Path) -> "Iterator[duckdb.DuckDBPyConnection]":
    """Open a DuckDB connection with limited memory.

    Args:
        memory: Memory limit, in bytes.
        root: Folder for temporary data that exceeds the limit.

    Yields:
        The connection.
    """
    with TemporaryDirectory(dir=root, prefix=".spill-") as spill:
        config = {
            "memory_limit": f"{memory // 1_000_000}MB",
            "temp_directory": spill,
            "threads": 1,  # buckets run in parallel instead
        }
        with require("duckdb", "corpus").connect(config=config) as connection:
            yield connection


def count_bucket(root: Path, bucket: int, files: list[str], memory: int, key: str) -> Outcome:
    """Count the definitions of a bucket of acronyms and write `counts/BUCKET.parquet`.

    The file has a row for each acronym, long form and domain, sorted. Spellings with the same merge
    key are the same long form (GLADIS, section 3.1).

    Args:
        root: Folder of the workspace.
        bucket: The bucket's number.
        files: Paths of the files of definitions, within the workspace.
        memory: Memory limit, in bytes.
        key: The task's key.

    Returns:
        The outcome. Its statistics have the number of rows.
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
    """Read the counts of one bucket.

    Args:
        path: The bucket's Parquet file.

    Yields:
        The counts, sorted by acronym, long form and domain.
    """
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS):
            yield from map(Count._make, zip(*batch.to_pydict().values(), strict=True))


HELD = 50_000  # rows in memory before they are written

REPEATED = ["acronym", "domain", "kind"]  # columns to encode with a dictionary


@lru_cache(maxsize=1 << 16)
def bucket_of(acronym: str, buckets: int) -> int:
    """Return the bucket of an acronym, which is the same on every machine.

    Args:
        acronym: The acronym.
        buckets: Number of buckets.
    """
    return zlib.crc32(acronym.encode()) % buckets


class BucketWriter:
    """A writer of named tuples to a Parquet file with one row group for each bucket.

    The first field of the tuples is the acronym. Rows of a bucket keep their order. If there are
    more than `HELD` rows, they are written in several rounds, with a row group per bucket in each
    round.
    """

    def __init__(self, path: Path, record: type[tuple[Any, ...]], buckets: int) -> None:
        """Open the file for writing.

        Args:
            path: Path of the file to write.
            record: The named tuple's class.
            buckets: Number of buckets.
        """
        self._arrow, parquet = (
            require(module, "corpus") for module in ("pyarrow", "pyarrow.parquet")
        )
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
        """Return the writer."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the file. Write the rows in memory first unless an error was raised."""
        try:
            if kind is None:
                self.flush()
        finally:
            self._file.close()

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows to those in memory, and write all of them if there are `HELD` or more.

        Args:
            rows: Named tuples of the writer's class.
        """
        number = len(self._rows)
        for row in rows:
            self._rows[bucket_of(row[0], number)].append(row)
            self._held += 1
        if self._held >= HELD:
            self.flush()

    def flush(self) -> None:
        """Write the rows in memory to the file."""
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
    """Settings that influence the results of mining. They stay the same for a workspace.

    Attributes:
        rules: Rules that find definitions, one of `RULES`.
        buckets: Number of buckets that acronyms are divided into.
        piece_size: Size at which large shards are split, in bytes of text.
        domain: Domain of documents that name none.
    """

    rules: str = "schwartz_hearst"
    buckets: int = 64
    piece_size: int = PIECE_SIZE
    domain: str | None = None


def extract_piece(root: Path, piece: Piece, settings: MiningSettings, key: str) -> Outcome:
    """Extract definitions and samples from a piece.

    They are written to `definitions/NAME.parquet` and `samples/NAME.parquet`.

    Args:
        root: Folder of the workspace.
        piece: The piece.
        settings: The run's settings.
        key: The task's key.

    Returns:
        The outcome. Its statistics count documents, characters, definitions and samples by domain.
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
    """Extract definitions and samples from documents.

    A document on which the rules fail is reported as a problem and skipped.

    Args:
        documents: The documents.
        find: Function that finds the definitions in a text.
        problems: Log to which problems are added.
        source: File of the documents, for messages about problems.

    Yields:
        Each document with its definitions and samples.
    """
    for document in documents:
        try:
            definitions, samples = extract_document(document, find)
        except Exception as error:  # a bug in a rule must not lose the piece
            detail = f"{document.id}: {type(error).__name__}: {error}"
            problems(Problem("extraction failed", str(source), 0, detail))
            continue
        yield document, definitions, samples


@contextmanager
def _no_collection() -> Iterator[None]:
    """Disable garbage collection, which takes a tenth of the time and finds no cycles in rows."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
