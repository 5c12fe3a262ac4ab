"""Import and export of dictionaries in other formats.

ADAM is licensed under the GPL and is therefore not packaged. Users can import it themselves.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import entry_points
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import InputError
from ..files import refuse_stream
from ..problem import Problem, ProblemLog, Report, escape_controls, log_problem
from .builder import BuildReport, build_dictionary
from .candidate import Group, Row, clean_row
from .overlay import USER_SOURCE
from .published import read_published, write_published
from .store import Store
from .tables import TAB_SUFFIXES, read_table, write_table

logger = logging.getLogger("spacy_gladis")

STORE_SUFFIX = ".sqlite"
_SAMPLE = 1_000
"""Number of rows that are checked for counts."""


def read_rows(
    path: Path,
    source: str | None = None,
    report: Report = log_problem,
    negative: bool = False,
) -> Iterator[Row]:
    """Read the rows of a dictionary. The format is detected by the file's name.

    A `.json` file has the published GLADIS format, `.csv`, `.tsv`, `.tab` and `.txt` files are
    tables, and a `.sqlite` file is a dictionary file. A name that starts with "adam" is ADAM's
    database.

    Args:
        path: The file.
        source: Name of the source for rows that don't have one; None for the file's name.
        report: Function that receives each problem with a row. Invalid rows are left out.
        negative: Whether to read rows of a table without a long form, which say that a word is not
            an acronym. Otherwise such rows are invalid.

    Returns:
        An iterator over the rows.

    Raises:
        InputError: If there is no such file, or its format is unknown.
        FormatError: If the file is damaged.
    """
    if path.is_dir():
        raise InputError(f"{path} is a folder. Expected a file.")
    refuse_stream(path)
    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    source = source or escape_controls(path.stem)
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
"""Group of the entry points that read the rows of a folder."""


def read_folder(path: Path) -> Iterator[Row]:
    """Read the rows of a folder with the reader of an installed package.

    Args:
        path: The folder, such as the output of `corpus extract`.

    Returns:
        An iterator over the rows.

    Raises:
        InputError: If no installed package has a reader for folders.
    """
    for reader in entry_points(group=FOLDERS):
        rows: Iterator[Row] = reader.load()(path)
        return rows
    raise InputError(f"{path} is a folder. Expected a file.")


def import_dictionary(
    original: Path,
    path: Path,
    source: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    report: Report = log_problem,
    watch: Callable[[Iterator[Row]], Iterable[Row]] = iter,
) -> BuildReport:
    """Convert a file in another format to a dictionary file.

    The rows are streamed. Spellings of long forms are not merged, but the counts of equal pairs are
    added. A file without counts cannot tell which meanings are frequent. Its rows become user
    entries, unless there is a `source`.

    Args:
        original: The file to read, see `read_rows`.
        path: The dictionary file to write.
        source: Name of the source for rows that don't have one; None for the file's name.
        metadata: Description of the dictionary as JSON types.
        report: Function that receives each problem with a row. Invalid rows are left out.
        watch: Function that the rows pass through, for example to show progress.

    Returns:
        Figures of the build.

    Raises:
        InputError: If there is no such file, if its format is unknown, or if it has no valid row.
        FormatError: If the file is damaged.
    """
    rows = read_rows(original, source, report)
    first = list(islice(rows, _SAMPLE))
    rows = chain(first, rows)
    if source is None and all(row.count == 1 for row in first):
        rows = (row._replace(source=USER_SOURCE) for row in rows)
    content = {"sources": [{"name": escape_controls(original.name)}], **(metadata or {})}
    return build_dictionary(watch(rows), path, content, merge=None, report=report)


def export_dictionary(groups: Iterable[Group], path: Path) -> None:
    """Export a dictionary. The format follows from the file's suffix.

    Args:
        groups: Acronyms with their long forms, as `Dictionary.groups` yields them.
        path: The file to write: `.json` for the published format; `.csv`, `.tsv`, `.tab` or `.txt`
            for a table.

    Raises:
        InputError: If the file has another suffix.
    """
    suffix = path.suffix.lower()
    if suffix == ".json":
        write_published(groups, path)
    elif suffix == ".csv" or suffix in TAB_SUFFIXES:
        write_table(groups, path)
    else:
        raise InputError(f"Cannot write {path}. Choose a name that ends in .json, .csv or .tsv.")


def open_published(path: Path) -> Store:
    """Convert a JSON file in the published format to a temporary dictionary file, and open it.

    A warning is logged if entries are invalid.

    Args:
        path: The JSON file.

    Returns:
        The store. The temporary file is deleted with it.

    Raises:
        InputError: If there is no such file, or it has no valid entry.
        FormatError: If the file is damaged.
    """
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
    """Read the rows of ADAM's database (Zhou, Torvik and Smalheiser 2006).

    A record has separate counts for the variants of its acronym (`form:count|...`) and for the
    spellings of its long form (`text:count:score|...`). The preferred acronym gets all spellings.
    The other variants get the most frequent spelling. The sum of a record's counts doesn't change.

    Args:
        path: The database.
        source: Name of the source.
        report: Function that receives each problem with a record. Invalid records are left out.

    Yields:
        The rows.
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
