"""Each format: what counts as text, where it stands in the file, what the format defines."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_gladis.documents.formats import read_file, read_text
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.problem import ProblemLog
from tests.support.documents import pdf

PLANTED = re.compile(r"Q[A-Z]{3,5}")

MARKS = {
    "text": ("{}", "{}.", "({})"),
    "markdown": ("{}", "**{}**", "[{}](http://QLINK.org 'QTITLE')", "\\*{}\\*", "&amp;{}"),
    "restructuredtext": ("{}", "**{}**", "*{}*", "`{} <http://QLINK.org>`_", ":ref:`{} <QREF>`"),
    "html": ("{}", "<b>{}</b>", "<a href='QLINK'>{}</a>", "&eacute; {}", "<p>{}</p>"),
    "latex": ("{}", "\\textbf{{{}}}", "\\unknown{{{}}}", "\\href{{http://QLINK.org}}{{{}}}"),
    "asciidoc": ("{}", "*{}*", "_{}_", "link:http://QLINK.org[{}]", "<<QREF,{}>>"),
}
HIDDEN = {
    "text": (),
    "markdown": ("`{}`", "<http://{}.org>", "\n\n```\n{}\n```\n\n", "${}$", "![x]({})"),
    "restructuredtext": ("``{}``", ":class:`{}`", "\n\n::\n\n    {}\n\n", "\n\n.. image:: {}\n\n"),
    "html": (
        "<code>{}</code>",
        "<script>{}</script>",
        "<!-- {} -->",
        "<i title='{}'>x</i>",
        "<ul role=navigation><li>{}</ul>",
    ),
    "latex": ("${}$", "\\cite{{{}}}", "\\begin{{verbatim}}{}\\end{{verbatim}}", "% {}\n"),
    "asciidoc": (
        "`{}`",
        "\n\n----\n{}\n----\n\n",
        "\n\n// {}\n\n",
        "image:{}[]",
        "\n\n  {}\n  x\n\n",
    ),
}
WORDS = st.sampled_from(["the", "caf\u00e9", "of \U0001f642", "one", "two,\n", "x\r\n", "\n\n"])


@st.composite
def documents(draw, format):
    """A text in this format, and the acronyms that a reader of it sees."""
    parts, seen = [], []
    letters = st.text("ABCDEFGHJKM", min_size=3, max_size=5)
    for _ in range(draw(st.integers(1, 12))):
        acronym = "Q" + draw(letters)
        marks = MARKS[format] + HIDDEN[format]
        number = draw(st.integers(0, len(marks) - 1))
        if number < len(MARKS[format]):
            seen.append(acronym)
        parts += [draw(WORDS), " ", marks[number].format(acronym), " ", draw(WORDS), " "]
    text = "word " + "".join(parts)
    return re.sub(r"\n (?! )", "\n", text), seen  # an indented line is a block of its own


@pytest.mark.parametrize("format", MARKS)
@given(data=st.data())
@settings(max_examples=60)
def test_every_acronym_has_its_place(format, data):
    original, seen = data.draw(documents(format))
    pytest.importorskip("pylatexenc" if format == "latex" else "re")
    check(read_text(original, format), original, seen)


def check(source, original, seen):
    assert PLANTED.findall(source.text) == seen
    lines = re.split(r"\r\n|\r|\n", original)
    for match in PLANTED.finditer(source.text):
        place = source.position(match.start())
        assert lines[place.line - 1][place.column - 1 :].startswith(match[0])
        start, end = source.original_span(*match.span())
        assert original[start:end] == match[0]


@given(documents=st.lists(documents("markdown"), min_size=1, max_size=4), ascii=st.booleans())
@settings(max_examples=40)
def test_a_notebook_s_places_are_those_of_its_file(documents, ascii):
    cells = [
        {"cell_type": "markdown", "source": text if n % 2 else text.splitlines(keepends=True)}
        for n, (text, _) in enumerate(documents)
    ]
    code = {"cell_type": "code", "source": "QCODE", "outputs": [{"text": "QOUT"}]}
    notebook = json.dumps({"cells": [*cells, code], "nbformat": 4}, indent=1, ensure_ascii=ascii)
    check(
        read_text(notebook, "notebook"),
        notebook,
        [definition for _, seen in documents for definition in seen],
    )


@given(texts=st.lists(documents("text"), min_size=1, max_size=4), ascii=st.booleans())
@settings(max_examples=40)
def test_json_lines_have_their_places(texts, ascii, tmp_path_factory):
    path = tmp_path_factory.mktemp("lines") / "x.jsonl"
    lines = [json.dumps({"n": "Q", "text": text}, ensure_ascii=ascii) for text, _ in texts]
    path.write_text("\n\n".join(lines), "utf8")
    read = list(read_file(path, ProblemLog()))
    for number, (source, line, (_, seen)) in enumerate(zip(read, lines, texts, strict=True)):
        assert source.first == 1 + 2 * number
        check(source.at(first=1), line, seen)


RESTRUCTUREDTEXT = """\
QTITLE
======

A sample of QNEXT follows::

    QCODE is literal

    QMORE of it

.. note:: QNOTE says
   :class: QCLASS

   QBODY of the note.

.. versionadded:: 1.2 QADDED came.

.. container:: QHIDE

   QINNER stands here.

.. [1] QFOOT stands below.

.. image:: QPICT.png
   :alt: QALT

.. a comment on QCOMM
   that goes on with QCOMM

>>> QTEST
QRESULT

+-------+-------+
| QCELL | QTWO  |
+-------+-------+

:Field QNAME: QVALUE
* QITEM

::

  QLAST

QEND.
"""
LATEX = r"""\documentclass{article}
\title{QHEAD}
\begin{document}
\section*{QTITLE} Text of QTEXT\\ and~QTIE --- 5\% QSIGN \& QAND.
\begin{itemize}\item QITEM\item{QNEXT}\end{itemize}
\begin{equation}QMATH\end{equation}
{QGROUP} \textcolor{QRED}{QSHOWN} \unknown{QARG} \cite[QPAGE]{QREF}
% QCOMM
\end{document}
QAFTER
"""
HTML = """\
<title>QHEAD</title><h1>QTITLE</h1><p>Of QTEXT<br/>and QTWO&nbsp;&#225;&mdash;QNUM<hr/>
<pre>QCODE <pre>QDEEP</pre> QSTILL</pre><![if QCOND]>QSEEN<![endif]>
<dl><dt>QTERM<dt>QNEXT<dd>quite next</dl><script>var a = "&amp;QSCR;"</script>
<table><tr><td>QCELL<td>QLAST</table>
"""
BLOCKS = {
    "restructuredtext": (
        RESTRUCTUREDTEXT,
        "QTITLE QNEXT QNOTE QBODY QADDED QINNER QFOOT QCELL QTWO QVALUE QITEM QEND",
    ),
    "latex": (LATEX, "QTITLE QTEXT QTIE QSIGN QAND QITEM QNEXT QGROUP QSHOWN QARG"),
    "html": (HTML, "QHEAD QTITLE QTEXT QTWO QNUM QSEEN QTERM QNEXT QCELL QLAST"),
}


@pytest.mark.parametrize("format", BLOCKS)
def test_blocks(format):
    pytest.importorskip("pylatexenc" if format == "latex" else "re")
    text, seen = BLOCKS[format]
    check(read_text(text, format), text, seen.split())


def test_indented_lines_of_asciidoc_that_are_text():
    lists = "a::\n\n  QAAA of a.\n\n* one\n  QBBB\n\n  ** QCCC\n\nb:: c\n  QDDD\n\n"
    kept = read_text(f"{lists}|===\n|x\n\n  QEEE\n|===\n", "asciidoc")
    assert PLANTED.findall(kept.text) == ["QAAA", "QBBB", "QCCC", "QDDD", "QEEE"]
    shown = read_text("QAAA\n\n  QBBB\nQCCC\n\n* one\n\n  QDDD\n\n QEEE", "asciidoc")
    assert PLANTED.findall(shown.text) == ["QAAA"]


DEFINED = {
    "markdown": "An HTML page.\n\n*[HTML]: Hypertext Markup Language\n",
    "restructuredtext": "An :abbr:`HTML (Hypertext Markup\nLanguage)` page.\n",
    "html": "<p>An <abbr title='Hypertext Markup Language'>HTML</abbr> page.",
    "latex": "\\newacronym{h}{HTML}{Hypertext \\emph{Markup} Language}\nA \\gls{h} page.",
    "asciidoc": "An HTML page.\n\n[glossary]\nHTML:: Hypertext Markup Language\n",
}


@pytest.mark.parametrize("format", DEFINED)
def test_what_the_format_defines(format):
    pytest.importorskip("pylatexenc" if format == "latex" else "re")
    original = DEFINED[format]
    source = read_text(original, format)
    (definition,) = source.definitions
    assert definition[:2] == ("HTML", "Hypertext Markup Language")
    assert original[definition.offset :].startswith("HTML")
    assert source.text.lstrip().startswith(("An HTML", "A HTML"))


def test_a_short_title_is_not_a_part_of_the_title():
    pytest.importorskip("pylatexenc")
    titles = "".join(
        f"\\{name}[QSHORT]{{Long {name}}}"
        for name in ("chapter", "section", "paragraph", "caption")
    )
    source = read_text(
        f"{titles}\\section*{{Star}} Text\\footnote[2]{{note}} \\item[ABC] term", "latex"
    )
    assert " ".join(source.text.split()) == (
        "Long chapter Long section Long paragraph Long caption Star Text note ABC term"
    )


def test_other_lists_of_definitions():
    pytest.importorskip("pylatexenc")
    latex = (
        "\\DeclareAcronym{a}{short=ABC, long={a big cat}}\\acro{DEF}{deaf elf}"
        "\\newglossaryentry{g}{name={GHI}, description={great hill}} \\acp{a} and \\ac{DEF}"
        "\\newabbreviation[short]{j}{JK}{just a \\textbf{keen}~cat}\\acrodef{l}[LM]{lean man}"
    )
    source = read_text(latex, "latex")
    assert [definition[:2] for definition in source.definitions] == [
        ("ABC", "a big cat"),
        ("DEF", "deaf elf"),
        ("GHI", "great hill"),
        ("JK", "just a keen cat"),
        ("LM", "lean man"),
    ]
    assert source.text.split() == ["ABCs", "and", "DEF"]
    rst = (
        ".. glossary::\n\n   AB\n   A.B.\n      a bee\n\n   CD : x\n      core deer, of the sea.\n"
        "   term\n      what it means\n"
    )
    result = [definition[:2] for definition in read_text(rst, "restructuredtext").definitions]
    assert result == [("AB", "a bee"), ("A.B.", "a bee"), ("CD", "core deer")]
    fields = read_text(":AB: a bee\n:CD: a wolf\n", "restructuredtext").definitions
    assert [field[:2] for field in fields] == [("AB", "a bee")]
    sign = '<a class="headerlink" href="#x">\u00b6</a>'
    html = f"<dl><dt>AB{sign}<dd>a bee<dt>Cow<dd>an animal"
    html += "<dt>CD<dd>Short for \u201ccore deer\u201d, of the sea</dl>"
    read = read_text(html, "html")
    result = [definition[:2] for definition in read.definitions]
    assert result == [("AB", "a bee"), ("CD", "core deer")] and "\u00b6" not in read.text


def test_front_matter_formulas_and_tables_of_markdown():
    text = "---\ntitle: QQQQ\n---\n| QAAA \\| QBBB | `QCCC` |\n|--|--|\n| QDDD | $QEEE$ |\n"
    check(read_text(text, "markdown"), text, ["QAAA", "QBBB", "QDDD"])


def test_docx(tmp_path):
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("On QAAA")
    document.add_paragraph("A word of QBBB\nand QCCC.")
    document.add_table(1, 2).cell(0, 1).text = "QDDD"
    document.save(tmp_path / "x.docx")
    (source,) = read_file(tmp_path / "x.docx", ProblemLog())
    places = {m[0]: str(source.position(m.start())) for m in PLANTED.finditer(source.text)}
    assert places == {
        "QAAA": "paragraph 1:4",
        "QBBB": "paragraph 2:11",
        "QCCC": "paragraph 2:20",
        "QDDD": "paragraph 4:1",
    }


def test_pdf(tmp_path):
    pytest.importorskip("pypdf")
    (tmp_path / "x.pdf").write_bytes(pdf("The QAAA", "A word of QBBB"))
    (source,) = read_file(tmp_path / "x.pdf", ProblemLog())
    places = [str(source.position(m.start())) for m in PLANTED.finditer(source.text)]
    assert places == ["page 1:5", "page 2:11"]


def test_unknown_formats_are_refused_by_name(tmp_path):
    path = tmp_path / "x.exe"
    path.write_bytes(b"")
    with pytest.raises(InputError, match=r"'\.exe'.*\.docx"):
        list(read_file(path, ProblemLog()))
    with pytest.raises(InputError, match="Did you mean 'markdown'"):
        read_text("", "markdwon")
    with pytest.raises(FormatError):
        read_text("{}", "notebook")


def test_a_marked_section_that_is_none_is_passed_over() -> None:
    assert read_text("<![1>The WHO met.", "html").text.strip() == "The WHO met."
    assert read_text("The WHO <![1", "html").text.startswith("The WHO")


@pytest.mark.parametrize("text", ["{" * 5_000 + "}" * 5_000, "a } b", "\\begin{center} a"])
def test_latex_that_does_not_close_is_an_error(text):
    pytest.importorskip("pylatexenc")
    with pytest.raises(FormatError, match=r"line 1|nested too deeply"):
        read_text(text, "latex")


def test_a_latex_preamble_and_code_may_hold_what_does_not_close():
    pytest.importorskip("pylatexenc")
    text = (
        "\\newenvironment{x}{\\begin{center}}{\\end{center}}\\newacronym{a}{QAAA}{quite a ant}\n"
        "\\begin{document}QBBB\\begin{minted}{c}\nif (a) { QCCC\n\\end{minted}QDDD\\end{document}"
    )
    source = read_text(text, "latex")
    check(source, text, ["QBBB", "QDDD"])
    assert [definition.acronym for definition in source.definitions] == ["QAAA"]
