"""Import dictionaries from other formats, and export them.

ADAM, a large database of abbreviations, is licensed under the GPL and therefore not part of the
package. Users can import it themselves.
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
"""Number of rows at the start of a file that are checked to find out whether it has counts."""


def read_rows(
    path: Path,
    source: str | None = None,
    report: Report = log_problem,
    negative: bool = False,
) -> Iterator[Row]:
    """Read rows of acronym, long form, source and count from a dictionary in any supported format.

    The name of the file determines its format:

    - `.json`: the published GLADIS format
    - `.csv`, `.tsv`, `.tab` and `.txt`: a table with commas or tabs
    - `.sqlite`: a dictionary file
    - a name that starts with "adam": the ADAM database of abbreviations

    Args:
        path: Path of the file to read.
        source: Name of the source for rows that don't name one. None to use the name of the file
            without its suffix.
        report: Function that is called with a `Problem` for each invalid row, which is then
            skipped. By default, problems are logged as warnings.
        negative: Whether a row of a table with an empty long form is valid. Such a row means that
            its word is not an acronym.

    Returns:
        An iterator over the rows, which are read from the file as you iterate.

    Raises:
        InputError: If the file doesn't exist, or its format is unknown.
        FormatError: If the file is damaged.
    """
    if path.is_dir():
        raise InputError(f"{path} is a folder. Give the path of a file.")
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
        f"The format of {path} is unknown. Expected a name that ends in .json (published format), "
        f".csv or .tsv (acronym, long form, count, source) or {STORE_SUFFIX}, or that starts with "
        "'adam' (the database ADAM)."
    )


FOLDERS = "spacy_gladis.dictionary_folders"
"""Name of the group of entry points for functions that read the rows of a folder. An installed
package adds a function to this group to support its own kind of folder."""


def read_folder(path: Path) -> Iterator[Row]:
    """Read dictionary rows from a folder, with a reader that an installed package provides.

    The reader is the first function in the entry point group ``spacy_gladis.dictionary_folders``.

    Args:
        path: Path of the folder, such as the output of `corpus extract`.

    Returns:
        An iterator over the rows of acronym, long form, source and count.

    Raises:
        InputError: If no installed package provides a reader for folders.
    """
    for reader in entry_points(group=FOLDERS):
        rows: Iterator[Row] = reader.load()(path)
        return rows
    raise InputError(
        f"{path} is a folder, and no installed package can read a dictionary from a folder. Give "
        "the path of a file."
    )


def import_dictionary(
    original: Path,
    path: Path,
    source: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    report: Report = log_problem,
    watch: Callable[[Iterator[Row]], Iterable[Row]] = iter,
) -> BuildReport:
    """Convert a dictionary in another format to a dictionary file.

    The counts of identical pairs of acronym and long form are added up, but different spellings of
    a long form are not merged. The file may be larger than memory.

    If a file has no counts, it doesn't show which long forms are frequent. Its rows then become
    user entries, which take precedence during linking. Pass a `source` to prevent this.

    Args:
        original: Path of the file to read, in a format that `read_rows` supports.
        path: Path of the dictionary file to write.
        source: Name of the source for rows that don't name one. None to use the name of the file.
        metadata: Description of the dictionary, as JSON types. None to store only the name of the
            original file.
        report: Function that is called with a `Problem` for each invalid row, which is then
            skipped.
        watch: Function that receives the iterator of rows and returns it, for example with a
            progress bar.

    Returns:
        The numbers of rows, acronyms and long forms that were read and written.

    Raises:
        InputError: If the file doesn't exist, its format is unknown, or it has no valid row.
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
    """Export the acronyms and long forms of a dictionary to a JSON file or a table.

    Args:
        groups: Acronyms with their long forms, as yielded by `Dictionary.groups`.
        path: Path of the file to write. The suffix `.json` selects the published GLADIS format,
            which has no sources. The suffixes `.csv`, `.tsv`, `.tab` and `.txt` select a table with
            a row for each acronym, long form and source.

    Raises:
        InputError: If the path has another suffix.
    """
    suffix = path.suffix.lower()
    if suffix == ".json":
        write_published(groups, path)
    elif suffix == ".csv" or suffix in TAB_SUFFIXES:
        write_table(groups, path)
    else:
        raise InputError(f"Cannot write {path}. Choose a name that ends in .json, .csv or .tsv.")


def open_published(path: Path) -> Store:
    """Open a JSON file in the published GLADIS format as a dictionary.

    The file is converted to a temporary dictionary file first. Invalid entries are left out, and a
    logged warning shows some of them.

    Args:
        path: Path of the JSON file.

    Returns:
        The open dictionary file. It is deleted together with this object.

    Raises:
        InputError: If the file doesn't exist, or it has no valid entry.
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


COLUMNS = 5  # columns of ADAM: preferred acronym, its variants, long forms, score, count


def read_adam(path: Path, source: str, report: Report = log_problem) -> Iterator[Row]:
    """Read the rows of the ADAM database of abbreviations (Zhou, Torvik and Smalheiser 2006).

    A record has separate counts for the variants of its acronym (`form:count|...`) and for the
    spellings of its long form (`text:count:score|...`), but no counts for their combinations. The
    preferred acronym therefore gets all spellings of the long form, and each other variant gets
    only the first spelling of the long form. The sum of the record's counts usually stays the same.

    Args:
        path: Path of the database file.
        source: Name of the source of all rows.
        report: Function that is called with a `Problem` for each invalid record, which is then
            skipped.

    Yields:
        The rows of acronym, long form, source and count, in the order of the records.
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
        raise InputError(f"the record has {len(cells)} columns, expected {COLUMNS}")
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
