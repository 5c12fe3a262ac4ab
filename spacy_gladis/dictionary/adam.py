"""ADAM, the abbreviations of MEDLINE: a source that users may add (its licence is the GPL)."""

from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError
from ..problem import Problem, Report, log_problem
from .candidate import Row, clean_row

COLUMNS = 5  # preferred acronym, its variants, long forms, score, count


def read_adam(path: Path, domain: str, report: Report = log_problem) -> Iterator[Row]:
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
                yield from _record(line.rstrip("\n").split("\t"), domain)
            except (InputError, ValueError) as error:
                report(Problem("bad record", str(path), number, f"{error}: {line!r:.200}"))


def _record(cells: list[str], domain: str) -> list[Row]:
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
        clean_row(preferred, main, domain, left),
        *(clean_row(preferred, form, domain, seen) for form, seen in rest),
        *(clean_row(other, main, domain, seen) for other, seen in others),
    ]
