"""Reader of the sheets in XLSX files, which uses openpyxl."""

import warnings
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from ...errors import FormatError, require, wrap_parser_errors
from .office import check_sizes

_UNREADABLE = "not a readable spreadsheet"
_MOST_CELLS = 1 << 22
"""Maximum number of cells in all sheets of a file, including empty cells between others."""

Rows = Iterator[tuple[int, list[str]]]
"""Iterator over the rows of a sheet. Each row is given as its number, counted from 1, and its
cells."""


def read_sheets(path: Path, texts: bool = False) -> Iterator[tuple[str, Rows]]:
    """Read the names and rows of the sheets in an XLSX file.

    Read all rows of a sheet before you request the next sheet. Empty rows are skipped.

    Args:
        path: Path of the file.
        texts: Whether to read only cells that contain text. Numbers, dates and formulas then become
            empty cells.

    Yields:
        The name of each sheet, and an iterator over its rows.

    Raises:
        FormatError: If the file isn't a valid XLSX file, or is too large.
    """
    excel = require("openpyxl.reader.excel", "documents", "openpyxl")
    warnings.filterwarnings("ignore", module="openpyxl")  # it warns about everything unknown
    with wrap_parser_errors(_UNREADABLE):
        check_sizes(path)
        reader = excel.ExcelReader(path, read_only=True, data_only=not texts, keep_links=False)
        with closing(reader.archive):
            reader.read_manifest()
            reader.read_strings()
            reader.read_workbook()
            parts = [part.target for _, part in reader.parser.find_sheets()]
            if len(set(parts)) < len(parts):
                raise FormatError("two of its sheets share the same data. Save the file again.")
            reader.read_worksheets()
            budget = iter(range(_MOST_CELLS))
            for sheet in reader.wb.worksheets:
                sheet.reset_dimensions()  # declared dimensions may create cells that do not exist
                yield sheet.title, _rows(sheet, texts, budget)


def _rows(sheet: Any, texts: bool, budget: Iterator[int]) -> Rows:
    with wrap_parser_errors(_UNREADABLE):
        for number, row in enumerate(sheet.iter_rows(values_only=not texts), 1):
            if next(islice(budget, max(0, len(row) - 1), None), None) is None:
                raise FormatError(
                    f"it has more than {_MOST_CELLS:,} cells. Save its sheets as CSV."
                )
            if texts:
                row = [cell.value if cell.data_type == "s" else None for cell in row]
            if any(cell not in (None, "") for cell in row):
                yield number, ["" if cell is None else str(cell) for cell in row]
