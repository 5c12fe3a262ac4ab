"""Dictionaries in other formats, in and out; ADAM, whose licence, the GPL, leaves it to users."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import entry_points
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import InputError
from ..files import refuse_stream
from ..problem import Problem, ProblemLog, Report, log_problem, visible
from .builder import BuildReport, build_dictionary
from .candidate import Group, Row, clean_row
from .overlay import USER_SOURCE
from .published import read_published, write_published
from .store import Store
from .tables import TAB_SUFFIXES, read_table, write_table

logger = logging.getLogger("spacy_gladis")

STORE_SUFFIX = ".sqlite"
_SAMPLE = 1_000
"""Rows by which it is told whether anything is counted."""


def read_rows(
    path: Path,
    source: str | None = None,
    report: Report = log_problem,
    negative: bool = False,
) -> Iterator[Row]:
    """Yield the rows of a dictionary in any format that is known, by its name.

    `.json` is the published format, `.csv` and `.tsv` are tables, `.sqlite` is a dictionary file,
    a name that begins with "adam" is ADAM's database. `source` (default: the file's name) is the
    source of rows that name none. `negative`: of a table also the rows without a long form, which
    say what is not an acronym; else they are bad. Raises `InputError` for an absent file or one of
    another format, `FormatError` for a broken one.
    """
    if path.is_dir():
        raise InputError(f"{path} is a folder. Expected a file.")
    refuse_stream(path)
    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    source = source or visible(path.stem)
    suffix = path.suffix.lower()
    if suffix == ".json":
        return read_published(path, source, report)
    if suffix == ".csv" or suffix in TAB_SUFFIXES:
        return read_table(path, source, report, negative)
    if suffix == STORE_SUFFIX:
        return _store_rows(Store(path))
    if path.name.lower().startswith("adam"):
        return read_adam(path, source, report)
    raise InputError(
        f"The format of {path} is unknown. Expected .json (published format), .csv or .tsv "
        f"(acronym, long form, count, source), {STORE_SUFFIX}, or ADAM's database under its name."
    )


FOLDERS = "spacy_gladis.dictionary_folders"
"""The group of entry points that read the rows of a folder."""


def read_folder(path: Path) -> Iterator[Row]:
    """Yield the rows of a folder in a format that an installed package knows.

    Args:
        path: The folder, such as the one that 'corpus extract' writes.

    Raises:
        InputError: If no package reads such folders.
    """
    for reader in entry_points(group=FOLDERS):
        rows: Iterator[Row] = reader.load()(path)
        return rows
    raise InputError(f"{path} is a folder. Expected a file.")


def import_dictionary(
    given: Path,
    path: Path,
    source: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    report: Report = log_problem,
    watch: Callable[[Iterator[Row]], Iterable[Row]] = iter,
) -> BuildReport:
    """Turn a file in another format into a dictionary file, streamed; no spellings are merged.

    A long form that is given twice for one acronym is kept once, the counts added. Where nothing
    is counted, and no `source` given, the entries are the user's own, as those of an overlay are:
    nothing else could say which meanings are usual. watch: what the rows pass through.
    """
    rows = read_rows(given, source, report)
    first = list(islice(rows, _SAMPLE))
    rows = chain(first, rows)
    if source is None and all(row.count == 1 for row in first):
        rows = (row._replace(source=USER_SOURCE) for row in rows)
    content = {"sources": [{"name": visible(given.name)}], **(metadata or {})}
    return build_dictionary(watch(rows), path, content, merge=None, report=report)


def export_dictionary(groups: Iterable[Group], path: Path) -> None:
    """Write groups in the published format (.json) or as a table (.csv, .tsv), streamed."""
    suffix = path.suffix.lower()
    if suffix == ".json":
        write_published(groups, path)
    elif suffix == ".csv" or suffix in TAB_SUFFIXES:
        write_table(groups, path)
    else:
        raise InputError(f"Cannot write {path}: expected a name that ends in .json, .csv or .tsv.")


def open_published(path: Path) -> Store:
    """A store with the content of a JSON file, in a folder that lasts as long as the store."""
    problems = ProblemLog()
    folder = TemporaryDirectory(prefix="spacy-gladis-", ignore_cleanup_errors=True)
    converted = Path(folder.name) / f"converted{STORE_SUFFIX}"
    made = import_dictionary(path, converted, report=problems)
    if made.bad_rows or problems.counts:
        examples = "; ".join(problems.to_json()["examples"][:3])
        logger.warning("%s: left out %s: %s", path, dict(problems.counts), examples)
    return Store(converted, folder)


def _store_rows(store: Store) -> Iterator[Row]:
    for acronym in store:
        for candidate in store.candidates(acronym):
            for source, count in candidate.counts.items():
                yield Row(acronym, candidate.long_form, source, count)


COLUMNS = 5  # preferred acronym, its variants, long forms, score, count


def read_adam(path: Path, source: str, report: Report = log_problem) -> Iterator[Row]:
    """Yield the rows of ADAM's database (Zhou, Torvik and Smalheiser 2006).

    A record counts its acronym's variants (`form:count|...`) and its long form's spellings
    (`text:count:score|...`) apart: the preferred acronym gets all spellings, the other variants
    get the most frequent one, and the sum of a record's counts stays what it is.
    """
    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#") or line.isspace():
                continue
            try:
                yield from _record(line.rstrip("\n").split("\t"), source)
            except (InputError, ValueError) as error:
                report(Problem("bad record", str(path), number, f"{error}: {line!r:.200}"))


def _record(cells: list[str], source: str) -> list[Row]:
    if len(cells) != COLUMNS:
        raise InputError(f"{len(cells)} columns, expected {COLUMNS}")
    preferred = cells[0]
    others = []
    for variant in cells[1].split("|"):
        acronym, _, number = variant.rpartition(":")
        if acronym != preferred:
            others.append((acronym, int(number)))
    spellings = []
    for spelling in cells[2].split("|"):
        long_form, number, _ = spelling.rsplit(":", 2)
        spellings.append((long_form, int(number)))
    (main, count), *rest = spellings
    left = max(1, count - sum(other for _, other in others))
    return [
        clean_row(preferred, main, source, left),
        *(clean_row(preferred, form, source, seen) for form, seen in rest),
        *(clean_row(other, main, source, seen) for other, seen in others),
    ]
