"""PPTX: slides in their order, each with its notes."""

from pathlib import Path

import pytest

from spacy_gladis.documents.formats import read_content, read_file
from spacy_gladis.documents.source import Source
from spacy_gladis.errors import FormatError
from spacy_gladis.problem import ProblemLog
from tests.support.documents import pptx, rewritten, run, shape


def read(path: Path) -> list[Source]:
    problems = ProblemLog()
    sources = list(read_file(path, problems))
    assert not problems.counts
    return sources


def test_the_slides_in_their_order_with_their_notes(tmp_path: Path) -> None:
    field = '<a:p><a:fld type="slidenum"><a:r><a:t>7</a:t></a:r></a:fld></a:p>'
    first = shape(run("Our Q", "BR"), "title") + shape(run("one") + run() + run("the EMEA"))
    last = shape("<a:p><a:r><a:t>a</a:t></a:r><a:br/><a:r><a:t>b</a:t></a:r></a:p>")
    path = pptx(
        tmp_path / "a.pptx", {"1": last, "2": "", "3": first}, shape(run("FYI") + field), "321"
    )
    (source,) = read(path)
    assert source.text == "Our QBR\n\none\nthe EMEA\n\nFYI\n\na b"
    assert source.format == "pptx" and source.name == str(path)
    places = {word: str(source.position(source.text.index(word))) for word in ("EMEA", "FYI", "b")}
    assert places == {"EMEA": "slide 1:17", "FYI": "slide 1:22", "b": "slide 3:3"}
    assert [region.kind for region in source.regions] == ["title"]
    assert read_content(path.read_bytes(), "b.pptx").text == source.text


def test_a_table_of_a_slide_may_be_a_glossary(tmp_path: Path) -> None:
    rows = [("QZR", "quartz zone reader"), ("", "spare"), ("XQB", "x-ray quality board")]
    cells = ["".join(f"<a:tc>{run(cell)}</a:tc>" for cell in row) for row in rows]
    table = "".join(f"<a:tr>{row}</a:tr>" for row in cells)
    frame = f"<p:graphicFrame><a:tbl>{table}</a:tbl></p:graphicFrame>"
    (source,) = read(pptx(tmp_path / "a.pptx", {"1": frame + shape(run("after"))}))
    assert {region.kind for region in source.regions} == {"table", "glossary"}
    assert all(
        source.text[region.start : region.end].endswith("board") for region in source.regions
    )


def test_a_slide_and_its_notes_are_read_once(tmp_path: Path) -> None:
    path = pptx(tmp_path / "a.pptx", {"1": shape(run("QBR"))}, shape(run("FYI")), "1" * 1_000)
    assert read(path)[0].text == "QBR\n\nFYI"


def test_entities_are_not_a_bomb(tmp_path: Path) -> None:
    path = pptx(tmp_path / "a.pptx", {"1": shape(run("&b9;"))})
    more = "".join(
        f'<!ENTITY b{n} "{(chr(38) + "b" + str(n - 1) + ";") * 10 if n else "QBR" * 99}">'
        for n in range(10)
    )
    rewritten(path, "ppt/slides/slide1.xml", "<p:sld ", f"<!DOCTYPE a [{more}]><p:sld ")
    with pytest.raises(FormatError, match="not a readable PPTX file"):
        read(path)
