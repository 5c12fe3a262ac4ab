"""Tables and lists of definitions, as the readers of files give them to the detector."""

import pytest
import spacy

from spacy_gladis.documents.formats import read_file, read_text
from spacy_gladis.documents.source import Source
from spacy_gladis.problem import ProblemLog

ENTRIES = {"COD": "chemical oxygen demand", "DNA": "deoxyribonucleic acid"}
OTHER = {"COD": "high values were found", "DNA": "see the appendix"}

FILES = {
    "text": "The COD of DNA.\n\nAbbreviations\n\nCOD   {COD}\nDNA   {DNA}\n",
    "markdown": (
        "The COD of DNA.\n\n## Abbreviations\n\n"
        "| Short | Long |\n|---|---|\n| COD | {COD} |\n| DNA | {DNA} |\n"
    ),
    "restructuredtext": (
        "The COD of DNA.\n\nAbbreviations\n-------------\n\nCOD\n    {COD}\n\nDNA\n    {DNA}\n"
    ),
    "html": (
        "<p>The COD of DNA.</p><h2>Abbreviations</h2><table><tr><td>COD</td><td>{COD}</td></tr>"
        "<tr><td>DNA</td><td>{DNA}</td></tr></table>"
    ),
}


def defined(source: Source) -> dict[str, str]:
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    doc = nlp(source.text)
    return {span.text: span._.long_form for span in doc.spans["acronyms"] if span._.long_form}


@pytest.mark.parametrize("format", FILES)
def test_lists_and_tables(format: str) -> None:
    assert defined(read_text(FILES[format].format(**ENTRIES), format)) == ENTRIES


@pytest.mark.parametrize("format", FILES)
def test_tables_that_explain_nothing(format: str) -> None:
    assert not defined(read_text(FILES[format].format(**OTHER), format))


@pytest.mark.parametrize("entries", [ENTRIES, OTHER])
def test_tables_of_docx(entries: dict[str, str], tmp_path) -> None:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_paragraph("The COD of DNA.")
    document.add_heading("Abbreviations")
    table = document.add_table(0, 2)
    for short, words in entries.items():
        for cell, text in zip(table.add_row().cells, (short, words), strict=True):
            cell.text = text
    document.save(tmp_path / "x.docx")
    (source,) = read_file(tmp_path / "x.docx", ProblemLog())
    assert defined(source) == (entries if entries is ENTRIES else {})
