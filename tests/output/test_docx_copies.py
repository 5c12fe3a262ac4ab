"""Copies of DOCX files: words replaced in their runs, all else as it was."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spacy_gladis.documents.formats import read_file
from spacy_gladis.documents.source import Source
from spacy_gladis.errors import FormatError
from spacy_gladis.output.docx import EditableDocx
from spacy_gladis.output.expansion import Expand, expand_file
from spacy_gladis.output.markup import Edit
from spacy_gladis.problem import ProblemLog
from tests.support.growth import assert_linear

docx = pytest.importorskip("docx")
qn = docx.oxml.ns.qn

LETTERS = {"ATM": "automated teller machine", "NN": "neural network"}


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Any], Path]:
    def write(document: Any) -> Path:
        document.save(str(tmp_path / "a.docx"))
        return tmp_path / "a.docx"

    return write


def read(path: Path) -> Source:
    (source,) = read_file(path, ProblemLog())
    return source


def copied(path: Path, resolve: Callable[..., Any], which: Expand = Expand.first) -> Any:
    """The copy, opened by python-docx."""
    source = read(path)
    target = path.with_name("copy.docx")
    target.write_bytes(expand_file(source, resolve(source.text, **LETTERS), which))
    return docx.Document(str(target))


def runs(document: Any) -> list[list[str]]:
    return [[run.text for run in paragraph.runs] for paragraph in document.paragraphs]


def test_runs_styles_cells_and_headers(written, resolve) -> None:
    document = docx.Document()
    document.add_heading("A NN")
    paragraph = document.add_paragraph("He used an ", style="List Bullet")
    paragraph.add_run("A").bold = True
    paragraph.add_run("T").italic = True
    paragraph.add_run("M today. ")
    paragraph.add_run("The ATM broke.")
    document.add_table(1, 2).cell(0, 1).text = "an\tNN\nends"
    document.sections[0].header.paragraphs[0].text = "NN"
    copy = copied(written(document), resolve)
    assert runs(copy) == [
        ["A neural network (NN)"],
        ["He used an ", "automated teller machine (ATM)", "", " today. ", "The ATM broke."],
    ]
    heading, bullet = copy.paragraphs
    assert (heading.style.name, bullet.style.name) == ("Heading 1", "List Bullet")
    assert [run.bold for run in bullet.runs] == [None, True, None, None, None]
    assert copy.sections[0].header.paragraphs[0].text == "NN"
    assert copied(written(document), resolve, Expand.all).tables[0].cell(0, 1).text == (
        "a\tneural network\nends"
    )


def test_what_nothing_is_to_be_done_in_is_the_very_file(written, resolve) -> None:
    path = written(docx.Document())
    source = read(path)
    assert expand_file(source, resolve(source.text), Expand.first) == path.read_bytes()


def insert(paragraph: Any, tag: str, text: str) -> None:
    """Put an element with a run behind the first run."""
    element = docx.oxml.OxmlElement(tag)
    run = docx.oxml.OxmlElement("w:r")
    run.text = text
    element.append(run)
    paragraph.runs[0]._r.addnext(element)


@pytest.mark.parametrize("tag", ["w:ins", "w:del", "w:sdt", "w:smartTag"])
def test_a_word_with_what_is_not_read_inside_stays(written, resolve, tag) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("The A")
    paragraph.add_run("TM broke. The ATM is new.")
    insert(paragraph, tag, "xx")
    copy = copied(written(document), resolve)
    second = "TM broke. The automated teller machine (ATM) is new."
    assert runs(copy) == [["The A", second]]
    assert copy.paragraphs[0]._p.xpath(f"{tag}/w:r")[0].text == "xx"


def test_a_hyphen_that_is_an_element_stays(written, resolve) -> None:
    document = docx.Document()
    run = document.add_paragraph("An ATM").runs[0]
    run._r.append(docx.oxml.OxmlElement("w:noBreakHyphen"))
    run._r.add_t("NN is new.")
    path = written(document)
    opened = EditableDocx(path, read(path).source)
    assert [opened.can_replace(*at) for at in ((3, 6), (3, 7), (7, 9))] == [True, False, True]
    opened_text = docx.Document(_file(path, opened.replaced([Edit(3, 9, "x"), Edit(7, 9, "y z")])))
    assert opened_text.paragraphs[0].text == "An ATM-y z is new."


def _file(path: Path, content: bytes) -> str:
    path.with_name("b.docx").write_bytes(content)
    return str(path.with_name("b.docx"))


def test_every_place_is_that_of_the_text(written) -> None:
    document = docx.Document()
    for words in ("One ATM\nand two.\n", "", "\tThree", "Four\n\nfive"):
        document.add_paragraph(words)
    document.add_table(1, 1).cell(0, 0).text = "six"
    path = written(document)
    source = read(path)
    for word in ("ATM", "two", "Three", "five", "six"):
        start = source.source.index(word)
        content = EditableDocx(path, source.source).replaced([Edit(start, start + len(word), "X")])
        path.with_name("b.docx").write_bytes(content)
        assert read(path.with_name("b.docx")).text == source.text.replace(word, "X")


def test_of_edits_that_overlap_the_first_is_made(written) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("The ATM ma")
    paragraph.add_run("chine")
    path = written(document)
    opened = EditableDocx(path, read(path).source)
    copy = docx.Document(_file(path, opened.replaced([Edit(8, 15, "x"), Edit(4, 15, "it")])))
    assert runs(copy) == [["The it", ""]]


def test_a_file_that_was_changed_meanwhile_has_no_copy(written, resolve) -> None:
    document = docx.Document()
    document.add_paragraph("The ATM broke.")
    source = read(written(document))
    document.add_paragraph("The end.")
    written(document)
    with pytest.raises(FormatError, match="changed since it was read"):
        expand_file(source, resolve(source.text, **LETTERS), Expand.first)


def test_many_runs_of_a_paragraph_take_linear_time(written) -> None:
    def replaced(size: int) -> None:
        document = docx.Document()
        paragraph = document.add_paragraph()
        for _ in range(20):
            paragraph._p.append(docx.oxml.OxmlElement("w:r"))
            paragraph.runs[-1].text = "NN " * size
        path = written(document)
        edits = [Edit(at, at + 2, "xyz") for at in range(0, 60 * size, 3)]
        EditableDocx(path, read(path).source).replaced(edits)

    assert_linear(replaced, 60)
