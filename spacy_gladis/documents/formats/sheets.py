"""The sheets of an XLSX file by openpyxl."""

import warnings
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from ...errors import FormatError, require, wrap_parser_errors
from .office import check_sizes

_NONE = "no spreadsheet that opens"
_MOST_CELLS = 1 << 22
"""Of all sheets, with the empty ones between others: one number makes as many as it likes."""

Rows = Iterator[tuple[int, list[str]]]


def read_sheets(path: Path, texts: bool = False) -> Iterator[tuple[str, Rows]]:
    """Yield the sheets' names, each with its rows that are not empty and their numbers from 1;
    a sheet's rows are read before the next sheet is asked for.

    texts: cells that a person typed as text alone; numbers, dates and formulas are empty.
    Raises FormatError where the file is no XLSX, or has more than can be held.
    """
    excel = require("openpyxl.reader.excel", "documents", "openpyxl")
    warnings.filterwarnings("ignore", module="openpyxl")  # it names all that it does not know
    with wrap_parser_errors(_NONE):
        check_sizes(path)
        reader = excel.ExcelReader(path, read_only=True, data_only=not texts, keep_links=False)
        with closing(reader.archive):
            reader.read_manifest()
            reader.read_strings()
            reader.read_workbook()
            parts = [part.target for _, part in reader.parser.find_sheets()]
            if len(set(parts)) < len(parts):
                raise FormatError("two of its sheets are one")
            reader.read_worksheets()
            budget = iter(range(_MOST_CELLS))
            for sheet in reader.wb.worksheets:
                sheet.reset_dimensions()  # what a file says of them makes cells that are not there
                yield sheet.title, _rows(sheet, texts, budget)


def _rows(sheet: Any, texts: bool, budget: Iterator[int]) -> Rows:
    with wrap_parser_errors(_NONE):
        for number, row in enumerate(sheet.iter_rows(values_only=not texts), 1):
            if next(islice(budget, max(0, len(row) - 1), None), None) is None:
                raise FormatError(
                    f"it has more than {_MOST_CELLS:,} cells. Save its sheets as CSV."
                )
            if texts:
                row = [one.value if one.data_type == "s" else None for one in row]
            if any(cell not in (None, "") for cell in row):
                yield number, ["" if cell is None else str(cell) for cell in row]
