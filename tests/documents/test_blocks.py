"""Whole files of a format: which of their blocks a reader sees, and where."""

import re

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.errors import FormatError

ACRONYM = re.compile(r"Q[A-Z]{2,5}")

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
\newabbreviation[short]{qa}{QABBR}{quite a \textbf{brief}~word}
\acrodef{qb}[QDEF]{quick definition}
\begin{document}
\section*{QTITLE} Text of QTEXT\\ and~QTIE --- 5\% QSIGN \& QAND.
\begin{itemize}\item QITEM\item{QNEXT}\end{itemize}
\begin{equation}QMATH\end{equation}
{QGROUP} \textcolor{QRED}{QSHOWN} \unknown{QARG} \cite[QPAGE]{QREF}
% QCOMM

\glspl{qa}, \ac{qb}, \acs{QOWN}.
\end{document}
QAFTER
"""
HTML = """\
<title>QHEAD</title><h1>QTITLE</h1><p>Of QTEXT<br/>and QTWO&nbsp;&#225;&mdash;QNUM<hr/>
<pre>QCODE <pre>QDEEP</pre> QSTILL</pre><![if QCOND]>QSEEN<![endif]>
<dl><dt>QTERM<dt>QNEXT<dd>quite next</dl><script>var a = "&amp;QSCR;"</script>
<table><tr><td>QCELL<td>QLAST</table>
"""


def seen(text: str, format: str) -> str:
    """The acronyms of a file's text, each found at its place in the file."""
    source = read_text(text, format)
    lines = text.split("\n")
    found = list(ACRONYM.finditer(source.text))
    for one in found:
        place = source.position(one.start())
        written = lines[place.line - 1][place.column - 1 :]
        assert written.startswith((one[0], "qa}", "qb}"))  # a use stands at its label
    return " ".join(one[0] for one in found)


def test_blocks_of_restructuredtext():
    assert seen(RESTRUCTUREDTEXT, "restructuredtext") == (
        "QTITLE QNEXT QNOTE QBODY QADDED QINNER QFOOT QCELL QTWO QVALUE QITEM QEND"
    )


def test_blocks_of_latex():
    pytest.importorskip("pylatexenc")
    assert seen(LATEX, "latex") == (
        "QTITLE QTEXT QTIE QSIGN QAND QITEM QNEXT QGROUP QSHOWN QARG QABBR QDEF QOWN"
    )
    found = read_text(LATEX, "latex").definitions
    assert [one[:2] for one in found] == [
        ("QABBR", "quite a brief word"),
        ("QDEF", "quick definition"),
    ]


def test_blocks_of_html():
    assert seen(HTML, "html") == ("QHEAD QTITLE QTEXT QTWO QNUM QSEEN QTERM QNEXT QCELL QLAST")
    assert [one[:2] for one in read_text(HTML, "html").definitions] == [("QNEXT", "quite next")]


def test_signs_that_link_titles_to_themselves_are_no_text():
    sign = '<a class="headerlink" href="#x">\u00b6</a>'
    read = read_text(f"<dl><dt>QDL{sign}</dt><dd>Query Data Language.</dd></dl>", "html")
    assert "\u00b6" not in read.text
    assert read.definitions[0][:2] == ("QDL", "Query Data Language")


@pytest.mark.parametrize("text", ["{" * 5_000 + "}" * 5_000, "a } b", "\\begin{center} a"])
def test_latex_that_does_not_close_is_an_error(text):
    pytest.importorskip("pylatexenc")
    with pytest.raises(FormatError, match=r"line 1|nested too deeply"):
        read_text(text, "latex")
