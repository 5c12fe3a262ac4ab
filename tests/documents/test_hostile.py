"""Files that are made to stop a reader: time grows with the length, and one is one problem."""

import json
import zlib
from contextlib import suppress
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import spacy
from spacy.tokens import DocBin

from spacy_gladis.documents.formats import read_file, read_text
from spacy_gladis.documents.sources import NamedSources
from spacy_gladis.errors import FormatError
from spacy_gladis.problem import ProblemLog
from tests.support.documents import pdf, pptx, rewritten, run, shape, xlsx
from tests.support.growth import assert_linear, assert_linear_steps
from tests.support.paths import UNRESTRICTED

PUMPED = {
    "text": ("....", "www.", "AB  a bee\n", "1.", "A B\n\n"),
    "markdown": ("<a ", "`", "[", "*a_ ", "$a$ *b* ", "|a", "<abbr title ", "![[", "> "),
    "restructuredtext": ("`", "`` ` ", ":a", "**a", "`<", "*a\n", ".. [a] b\n", "== ==\na\n"),
    "html": ("<a ", '<a "', "<!--", "</", "<table>", "<dt>AB<dd>a", "<a>", "&#", "<![a["),
    "latex": ("\\begin{verbatim}", "\\newcommand\\a", "~", "\\item ", "a & b\\\\", "\\section{a}"),
    "asciidoc": ("<", "link:", "link:,", "link:[", "footnote:[", "[.a", "a::", "*a", "|a"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format", "part"), [(format, part) for format, parts in PUMPED.items() for part in parts]
)
def test_the_time_grows_with_the_length(format, part):
    pytest.importorskip("pylatexenc" if format == "latex" else "re")

    def read(size):
        with suppress(FormatError):
            read_text(part * (size // len(part)) + ">x", format)

    assert_linear_steps(read, 600)
    assert_linear(read, 3_000)


def notebook(path, size):
    cells = [{"cell_type": "markdown", "source": ["# A\n", "a `b` QBR"]}] * size
    path.write_text(json.dumps({"cells": cells}))


def docbin(path, size):
    nlp = spacy.blank("en")
    DocBin(docs=[nlp.make_doc("a QBR")] * size).to_disk(path)


def bytes_of(head, part):
    return lambda path, size: path.write_bytes(head + part * size)


def mail(part):
    return lambda path, size: path.write_bytes(b"Subject: %b\n\n%b" % (part * size, part * size))


GROWING = {
    "rows.jsonl": bytes_of(b"", b'{"text": "a QBR"}\n'),
    "deep.jsonl": bytes_of(b"", b'{"text": '),
    "a.ipynb": notebook,
    "a.spacy": docbin,
    "a.docx": lambda path, size: docx(path, **{"<w:tbl>": "<w:p/>" * size + "<w:tbl>"}),
    "merged.docx": lambda path, size: docx(path, **{"<w:tbl>": merged(size) + "<w:tbl>"}),
    "a.pptx": lambda path, size: pptx(
        path, {"1": shape(run("QBR") * size) + shape(run("a")) * size}
    ),
    "a.xlsx": lambda path, size: xlsx(path, Notes=[["note"], *([["the QBR is late"]] * size)]),
    "quoted.csv": bytes_of(b"id,note\n", b'1,"a ""QBR"" x"\n'),
    "open.csv": bytes_of(b"id,note\n", b'1,"a'),
    "joined.csv": bytes_of(b"id,note\n", b',"a""b"'),
    "words.eml": mail(b" QBR"),
    "coded.eml": mail(b"=?utf-8?q?a?= "),
    "comments.eml": mail(b"("),
    "tags.eml": mail(b"<a"),
    "lines.eml": mail(b"QBR\n "),
    "pages.pdf": lambda path, size: path.write_bytes(pdf(*["a QBR"] * size)),
    "lines.pdf": lambda path, size: path.write_bytes(pdf("a QBR\n" * size)),
    "words.pdf": lambda path, size: path.write_bytes(pdf("a QBR " * size)),
    "titles.pdf": lambda path, size: path.write_bytes(pdf("References\n" * size)),
}


IN_PYTHON = (".jsonl", ".ipynb", ".spacy", ".pdf")
"""Endings of what is read mostly in Python, whose steps are counted."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GROWING)
def test_files_are_read_in_linear_time(tmp_path, name):
    pytest.importorskip("pypdf" if name.endswith(".pdf") else "re")

    def read(size):
        path = tmp_path / f"{size}.{name}"
        if not path.exists():
            GROWING[name](path, size)
        with suppress(FormatError):
            for source in read_file(path, ProblemLog()):
                source.position(len(source.text))

    if name.endswith(IN_PYTHON):
        assert_linear_steps(read, 50)
    else:
        assert_linear(read, 300)


def test_a_role_that_does_not_close_and_blanks():
    assert_linear(lambda size: read_text(f":abbr:`{' ' * size}x", "restructuredtext"), 3_000)


def test_a_number_of_a_character_that_is_none():
    number = "9" * 5_000
    text = f"<p title='&#{number};'>The WHO</p>&#{number};"
    assert read_text(text, "html").text.startswith("The WHO")


def test_a_macro_of_the_file_s_own_is_none_that_defines():
    pytest.importorskip("pylatexenc")
    text = "\\newcommand\\acro[1]{\\textsc{#1}}\n\\begin{document}\\acro{WHO} met.\\end{document}"
    source = read_text(text, "latex")
    assert source.text == "WHO met." and not source.definitions
    with pytest.raises(FormatError, match="not readable as latex"):
        read_text("a \\verb", "latex")


def test_one_document_does_not_end_the_run(tmp_path):
    docbin = b"\x78\x9c\x93c`\x00\x00\x00\x09\x00\x05"
    for name, data in {
        "a.tex": b"a \\verb",
        "b.spacy": docbin,
        "c.ipynb": b'{"cells": [{"cell_type": "markdown", "source": {"a": ' + b"[" * 9_000,
        "d.jsonl": b'{"text": ' + b"9" * 5_000 + b"}",
        "e.docx": b"PK\x03\x04",
        "f.pdf": b"%PDF-1.4 {",
        "g.txt": b"%PDF-1.4 in disguise",
        "h.md": b"caf\xe9",
        "i.md": b"good",
    }.items():
        (tmp_path / name).write_bytes(data)
    try:
        (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
        broken = 10
    except OSError:  # Windows asks for a right
        broken = 9
    problems = ProblemLog()
    given = [str(tmp_path), str(tmp_path / "unknown.xyz")]
    assert [source.text for source in NamedSources(given).read(problems)] == ["good"]
    assert sum(problems.counts.values()) == broken
    for name in ("a.tex", "b.spacy", "c.ipynb", "d.jsonl", "e.docx", "f.pdf", "g.txt", "h.md"):
        assert any(name in example for example in problems.to_json()["examples"])


def docx(path, **parts):
    """A file with a merged cell, some words of its markup replaced."""
    document = pytest.importorskip("docx").Document()
    document.add_paragraph("The WHO met.")
    table = document.add_table(2, 2)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "QBR"
    document.save(path)
    for before, after in parts.items():
        rewritten(path, "word/document.xml", before, after)
    return path


def read_one(path):
    problems = ProblemLog()
    (source,) = read_file(path, problems)
    assert not problems.counts
    return source


def merged(size):
    """A table of one column whose cells are one."""
    cell = "<w:tc><w:tcPr><w:vMerge%s/></w:tcPr><w:p/></w:tc>"
    rows = [f"<w:tr>{cell % more}</w:tr>" for more in (' w:val="restart"', *[""] * size)]
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


def test_merged_cells_of_a_docx_are_read_once(tmp_path):
    wide = docx(tmp_path / "a.docx", **{'gridSpan w:val="2"': 'gridSpan w:val="999999999"'})
    assert read_one(wide).text.split() == ["The", "WHO", "met.", "QBR"]


@pytest.mark.parametrize("content", [b"", b"PK\3\4", b"PK\5\6" + bytes(18), b"QBR"])
@pytest.mark.parametrize("ending", ["docx", "pptx", "xlsx"])
def test_a_damaged_file_is_one_problem(tmp_path, ending, content):
    (tmp_path / f"a.{ending}").write_bytes(content)
    problems = ProblemLog()
    assert not list(NamedSources([str(tmp_path)]).read(problems))
    assert problems.counts == {"damaged file": 1}


@pytest.mark.parametrize("more", [" " * (1 << 26), "<a/>" * 2_000_001])
@pytest.mark.parametrize(
    ("ending", "part", "place"),
    [
        ("docx", "word/document.xml", "<w:tbl>"),
        ("pptx", "ppt/slides/slide1.xml", "</p:sld>"),
        ("xlsx", "xl/worksheets/sheet1.xml", "</sheetData>"),
    ],
)
def test_what_unpacks_to_very_much_is_refused(tmp_path, ending, part, place, more):
    path = tmp_path / f"a.{ending}"
    if ending == "docx":
        docx(path)
    elif ending == "pptx":
        pptx(path, {"1": ""})
    else:
        xlsx(path, Notes=[["note"], ["the QBR is late"]])
    rewritten(path, part, place, f"{more}{place}")
    with pytest.raises(FormatError, match=r"it (unpacks to|has) .* Split it\."):
        read_one(path)


def test_markup_by_another_name_counts(tmp_path):
    path = xlsx(tmp_path / "a.xlsx", Notes=[["note"], ["the QBR is late"]])
    with ZipFile(path, "a", ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet.bin", "<a/>" * 2_000_001)
    with pytest.raises(FormatError, match="it has"):
        read_one(path)


def test_pages_of_a_pdf_that_are_shown_again_and_again_are_refused(tmp_path, monkeypatch):
    pytest.importorskip("pypdf")
    monkeypatch.setattr("spacy_gladis.documents.formats.pdf._SECONDS", 0.2)
    monkeypatch.setattr("spacy_gladis.documents.formats.pdf._SECONDS_A_BYTE", 0)
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf("a QBR\n" * 1_000))
    assert read_one(path).text.count("QBR") == 1_000
    path.write_bytes(
        path.read_bytes().replace(b"/Kids [4 0 R]", b"/Kids [%b]" % (b"4 0 R " * 1_000))
    )
    with pytest.raises(FormatError, match="bytes takes more than 0 seconds"):
        read_one(path)


def test_a_docbin_that_unpacks_to_very_much_is_refused(tmp_path):
    (tmp_path / "a.spacy").write_bytes(zlib.compress(bytes(70_000_000)))
    problems = ProblemLog()
    assert not list(read_file(tmp_path / "a.spacy", problems))
    assert "unpacks to more than" in problems.to_json()["examples"][0]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no such devices")
def test_what_has_no_end_is_no_text(tmp_path):
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(1 << 40)
    problems = ProblemLog()
    given = ["/dev/zero", "/dev/urandom", str(tmp_path / "a.txt")]
    assert not list(NamedSources(given).read(problems))
    assert all("binary" in example for example in problems.to_json()["examples"])
    assert sum(problems.counts.values()) == 3


@pytest.mark.skipif(UNRESTRICTED, reason="this user may read everything")
def test_a_folder_or_file_that_cannot_be_read_is_counted(tmp_path):
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "a.md").write_text("never read")
    (tmp_path / "open.md").write_text("good")
    (tmp_path / "secret.md").write_text("never read")
    (tmp_path / "closed").chmod(0)
    (tmp_path / "secret.md").chmod(0)
    problems = ProblemLog()
    try:
        read = [source.text for source in NamedSources([str(tmp_path)]).read(problems)]
        closed = tmp_path / "closed"
        assert not list(NamedSources([str(closed)]).read(problems))
        given = [str(closed / "a.md"), str(tmp_path / "open.md")]
        assert [source.text for source in NamedSources(given).read(problems)]
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert read == ["good"]
    assert problems.counts == {"unreadable folder": 2, "unreadable file": 2}
