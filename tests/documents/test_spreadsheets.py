"""XLSX: the texts of the rows of sheets as documents."""

from datetime import datetime
from pathlib import Path

import pytest

from spacy_gladis.documents.formats import read_content, read_file
from spacy_gladis.documents.source import Source
from spacy_gladis.documents.sources import NamedSources
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.problem import ProblemLog
from tests.support.documents import rewritten, xlsx

pytest.importorskip("openpyxl")

TEXT = "the QBR is late again"
SHEET = "xl/worksheets/sheet1.xml"


def read(path: Path, text_field: str | None = None) -> list[Source]:
    problems = ProblemLog()
    sources = list(read_file(path, problems, None, text_field))
    assert not problems.counts
    return sources


def test_rows_of_the_sheets_with_texts_are_documents(tmp_path: Path) -> None:
    path = xlsx(
        tmp_path / "a.xlsx",
        Numbers=[["x", "y"], [1, 2]],
        Notes=[["id", "note"], [1, TEXT], [], [2, "the EMEA\nof the QBR is"], [3]],
        Terms=[["Acronym", "meaning"], ["QBR", TEXT]],
        Titled=[["Notes of May"], ["id", "note"], [7, "what the QBR of May was for"]],
    )
    sources = read(path)
    names = ["Notes!2", "Notes!4", "Titled!2", "Titled!3"]
    assert [source.name for source in sources] == [f"{path}:{name}" for name in names]
    texts = [TEXT, "the EMEA\nof the QBR is", "note", "what the QBR of May was for"]
    assert [source.text for source in sources] == texts
    assert {(source.format, source.path) for source in sources} == {("spreadsheet", str(path))}
    assert str(sources[1].position(sources[1].text.index("QBR"))) == "Notes row 4:17"
    assert [source.text for source in read(path, "meaning")] == [TEXT]
    with pytest.raises(FormatError, match="no sheet has a column 'body'"):
        read(path, "body")
    with pytest.raises(InputError, match=r"'\.xlsx' is not supported"):
        read_content(path.read_bytes(), "a.xlsx")


def test_numbers_dates_and_formulas_are_no_texts(tmp_path: Path) -> None:
    rows = [2.5, True, datetime(2020, 1, 2), f'=CONCATENATE("{TEXT}", "XQB")']
    path = xlsx(tmp_path / "a.xlsx", Notes=[["note"], [TEXT], *([row] for row in rows)])
    rewritten(path, SHEET, "<v></v>", f"<v>{TEXT} XQB</v>")  # what the formula came to
    rewritten(path, SHEET, '<c r="A6">', '<c r="A6" t="str">')
    assert TEXT in [source.text for source in read(path)]
    assert not any("XQB" in source.text or "2" in source.text for source in read(path))
    numbers = xlsx(tmp_path / "b.xlsx", Notes=[["x"], [1]])
    with pytest.raises(FormatError, match="no sheet has a column 'x' with texts"):
        read(numbers, "x")


def test_of_a_folder_s_spreadsheets_those_with_texts_are_read(tmp_path: Path) -> None:
    xlsx(tmp_path / "a.xlsx", Notes=[["id", "note"], [1, TEXT]])
    xlsx(tmp_path / "b.xlsx", Numbers=[["x", "y"], [1, 2]], Empty=[])
    xlsx(tmp_path / "glossary.xlsx", Notes=[["id", "note"], [1, TEXT]])
    given, problems = NamedSources([str(tmp_path)]), ProblemLog()
    assert [source.text for source in given.read(problems)] == [TEXT] and not problems.counts
    assert given.guessed_columns() == {"note": tmp_path / "a.xlsx"}
    assert not NamedSources([str(tmp_path / "b.xlsx")]).guessed_columns()
    assert given.passed_over() == {"no column of texts": {".xlsx": 1}} and given.count() is None


def test_a_spreadsheet_that_changes_is_looked_at_again(tmp_path: Path) -> None:
    path = xlsx(tmp_path / "a.xlsx", Notes=[["note"], [TEXT]])
    given = NamedSources([str(tmp_path)])
    assert given.guessed_columns() and not given.passed_over()
    xlsx(path, Notes=[["x"], [1]])
    assert given.passed_over() == {"no column of texts": {".xlsx": 1}}


def far(row: int) -> str:
    return f'<row r="{row}"><c r="XFD{row}" t="inlineStr"><is><t>{TEXT}</t></is></c></row>'


@pytest.mark.slow
@pytest.mark.parametrize("rows", [far(10**14), "".join(map(far, range(3, 300)))])
def test_cells_without_end_are_refused(tmp_path: Path, rows: str) -> None:
    path = xlsx(tmp_path / "a.xlsx", Notes=[["note"], [TEXT]])
    rewritten(path, SHEET, "</sheetData>", f"{rows}</sheetData>")
    with pytest.raises(FormatError, match=r"more than 4,194,304 cells\. Save its sheets as CSV"):
        read(path)


def test_what_a_sheet_says_of_its_size_makes_no_cells(tmp_path: Path) -> None:
    path = xlsx(tmp_path / "a.xlsx", Notes=[["note"], [TEXT]])
    rewritten(path, SHEET, 'ref="A1:A2"', 'ref="A1:XFD1048576"')
    assert [source.text for source in read(path)] == [TEXT]


def test_a_sheet_is_not_read_again_under_another_name(tmp_path: Path) -> None:
    path = xlsx(tmp_path / "a.xlsx", A=[["note"], [TEXT]], B=[["note"], [TEXT]])
    rewritten(path, "xl/_rels/workbook.xml.rels", "sheet2.xml", "sheet1.xml")
    with pytest.raises(FormatError, match="two of its sheets share the same data"):
        read(path)
