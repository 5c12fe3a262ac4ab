"""PPTX: slides in their order, each with its notes."""

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from spacy_gladis.documents.formats import read_content, read_file
from spacy_gladis.documents.source import Source
from spacy_gladis.documents.sources import read_sources
from spacy_gladis.errors import FormatError
from spacy_gladis.problem import ProblemLog
from tests.support.archives import rewritten
from tests.support.growth import assert_linear

A, P, R = (f"http://schemas.openxmlformats.org/{one}" for one in ("a", "p", "r"))


def run(*texts: str) -> str:
    return "<a:p>" + "".join(f"<a:r><a:t>{one}</a:t></a:r>" for one in texts) + "</a:p>"


def shape(paragraphs: str, kind: str = "body") -> str:
    return (
        f'<p:sp><p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>'
        f"<p:txBody>{paragraphs}</p:txBody></p:sp>"
    )


def pptx(path: Path, slides: dict[str, str], notes: str = "", shown: str = "") -> Path:
    """A file of slides by their numbers, the notes at the last; shown: in which order."""

    def relations(found: dict[str, tuple[str, str]]) -> str:
        each = (
            f'<Relationship Id="{id}" Type="{R}/{kind}" Target="{target}"/>'
            for id, (kind, target) in found.items()
        )
        return f"<Relationships>{''.join(each)}</Relationships>"

    spaces = f'xmlns:a="{A}" xmlns:p="{P}" xmlns:r="{R}"'
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        ids = "".join(f'<p:sldId r:id="r{one}"/>' for one in shown or slides)
        archive.writestr("ppt/presentation.xml", f"<p:presentation {spaces}>{ids}</p:presentation>")
        found = {f"r{one}": ("slide", f"slides/slide{one}.xml") for one in slides}
        archive.writestr("ppt/_rels/presentation.xml.rels", relations(found))
        for number, content in slides.items():
            slide = f"slides/slide{number}.xml"
            archive.writestr(f"ppt/{slide}", f"<p:sld {spaces}>{content}</p:sld>")
        if notes:
            found = {"r1": ("notesSlide", "../notesSlides/notes.xml")}
            archive.writestr(f"ppt/slides/_rels/slide{number}.xml.rels", relations(found))
            archive.writestr("ppt/notesSlides/notes.xml", f"<p:notes {spaces}>{notes}</p:notes>")
    return path


def read(path: Path) -> list[Source]:
    problems = ProblemLog()
    found = list(read_file(path, problems))
    assert not problems.counts
    return found


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
    cells = ["".join(f"<a:tc>{run(one)}</a:tc>" for one in row) for row in rows]
    table = "".join(f"<a:tr>{row}</a:tr>" for row in cells)
    frame = f"<p:graphicFrame><a:tbl>{table}</a:tbl></p:graphicFrame>"
    (source,) = read(pptx(tmp_path / "a.pptx", {"1": frame + shape(run("after"))}))
    assert {region.kind for region in source.regions} == {"table", "glossary"}
    assert all(source.text[one.start : one.end].endswith("board") for one in source.regions)


def test_a_slide_and_its_notes_are_read_once(tmp_path: Path) -> None:
    path = pptx(tmp_path / "a.pptx", {"1": shape(run("QBR"))}, shape(run("FYI")), "1" * 1_000)
    assert read(path)[0].text == "QBR\n\nFYI"


def test_paragraphs_of_a_pptx_take_linear_time(tmp_path: Path) -> None:
    def slides(size: int) -> None:
        read(pptx(tmp_path / "a.pptx", {"1": shape(run("QBR") * size) + shape(run("a")) * size}))

    assert_linear(slides, 300)


@pytest.mark.parametrize("content", [b"", b"PK\3\4", b"PK\5\6" + bytes(18), b"QBR"])
def test_a_damaged_file_is_one_problem(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.pptx").write_bytes(content)
    problems = ProblemLog()
    assert not list(read_sources([str(tmp_path)], problems))
    assert problems.counts == {"damaged file": 1}


@pytest.mark.parametrize("more", ["<a/>" * 2_000_001, " " * (1 << 26)])
def test_what_unpacks_to_very_much_is_refused(tmp_path: Path, more: str) -> None:
    slides = pptx(tmp_path / "a.pptx", {"1": more})
    with pytest.raises(FormatError, match="no PPTX that opens: it"):
        read(slides)


def test_entities_are_not_a_bomb(tmp_path: Path) -> None:
    path = pptx(tmp_path / "a.pptx", {"1": shape(run("&b9;"))})
    more = "".join(
        f'<!ENTITY b{n} "{(chr(38) + "b" + str(n - 1) + ";") * 10 if n else "QBR" * 99}">'
        for n in range(10)
    )
    rewritten(path, "ppt/slides/slide1.xml", "<p:sld ", f"<!DOCTYPE a [{more}]><p:sld ")
    with pytest.raises(FormatError, match="no PPTX that opens"):
        read(path)
