"""Mine one piece of a corpus: its definitions and samples as Parquet, a row group a bucket."""

import gc
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from .... import rules as rules_package
from ....documents.document import Piece
from ....errors import check_names, require
from ....files import writing
from ....problem import Problem, ProblemLog
from ....rules.definition import Definition
from ...datasets.sample import Sample
from ..engine.workspace import Outcome, Workspace
from ..extract import MinedDefinition, SampleSettings, extract_document
from ..readers import read_piece
from .count import schema_of

HELD = 50_000  # rows in memory before they are written

REPEATED = ["acronym", "domain", "kind"]  # columns whose values repeat: each stored once


@lru_cache(maxsize=1 << 16)
def bucket_of(acronym: str, buckets: int) -> int:
    """The bucket of an acronym: all its rows are in one, the same on every machine."""
    return zlib.crc32(acronym.encode()) % buckets


@contextmanager
def bucket_writer(
    path: Path, record: type[tuple[Any, ...]], buckets: int
) -> "Iterator[BucketWriter]":
    """A writer of named tuples of this kind, whose first field is the acronym."""
    pyarrow, parquet = (require(one, "corpus") for one in ("pyarrow", "pyarrow.parquet"))
    schema = schema_of(record).insert(0, pyarrow.field("bucket", pyarrow.uint16()))
    with parquet.ParquetWriter(
        path,
        schema,
        compression="zstd",
        compression_level=1,
        use_dictionary=[name for name in REPEATED if name in schema.names],
        write_statistics=["bucket"],
    ) as file:
        writer = BucketWriter(file, pyarrow, schema, buckets)
        yield writer
        writer.flush()


class BucketWriter:
    """Writes rows, a row group a bucket.

    Rows of a bucket keep their order. More than `HELD` rows are written in several rounds.
    """

    def __init__(self, file: Any, pyarrow: Any, schema: Any, buckets: int) -> None:
        self._file, self._arrow, self._schema, self._buckets = file, pyarrow, schema, buckets
        self._rows: list[list[tuple[Any, ...]]] = [[] for _ in range(buckets)]
        self._held = 0

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        buckets, number = self._rows, self._buckets
        for row in rows:
            buckets[bucket_of(row[0], number)].append(row)
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


RULES = ("schwartz_hearst", "find_definitions")


class ExtractionSettings(NamedTuple):
    """What the mined rows depend on, besides the text."""

    rules: str = "schwartz_hearst"
    samples: SampleSettings = SampleSettings()
    buckets: int = 64


def extract_piece(root: Path, piece: Piece, settings: ExtractionSettings, key: str) -> Outcome:
    """Write `definitions/NAME.parquet` and `samples/NAME.parquet` of one piece.

    The statistics count, by domain, the documents, their characters, the definitions and
    the samples. A document at which the rules fail is a problem, not the end of the piece.
    """
    find = find_by_name(settings.rules)
    problems = ProblemLog()
    domains: dict[str, Counter[str]] = {}
    outputs = [f"{folder}/{piece.name}.parquet" for folder in ("definitions", "samples")]
    with (
        _no_collection(),
        writing(root / outputs[0]) as definitions_path,
        writing(root / outputs[1]) as samples_path,
        bucket_writer(definitions_path, MinedDefinition, settings.buckets) as definitions_file,
        bucket_writer(samples_path, Sample, settings.buckets) as samples_file,
    ):
        for document in read_piece(piece, problems):
            try:
                definitions, samples = extract_document(document, find, settings.samples)
            except Exception as error:  # a rule's bug must not cost the whole piece
                detail = f"{document.id}: {type(error).__name__}: {error}"
                problems(Problem("extraction failed", str(piece.source), 0, detail))
                continue
            definitions_file.add(definitions)
            samples_file.add(samples)
            domains.setdefault(document.domain, Counter()).update(
                documents=1,
                characters=len(document.text),
                definitions=len(definitions),
                samples=len(samples),
            )
    return Workspace(root).done(key, outputs, {"domains": domains}, problems)


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


def find_by_name(rules: str) -> Callable[[str], list[Definition]]:
    """The function of `spacy_gladis.rules` that finds definitions, by its name."""
    check_names("rules", [rules], RULES)
    find: Callable[[str], list[Definition]] = getattr(rules_package, rules)
    return find
