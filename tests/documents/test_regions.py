"""What each format says is no running text."""

import json

import pytest

from spacy_gladis.documents.formats import read_file, read_text
from spacy_gladis.problem import ProblemLog

MARKDOWN = """\
# Index

See [docs.example.org/it](x) and [TCP/IP](y).

| Acronym | Meaning |
|--|--|
| AB | a bee |
| CD | core deer |

## References

Smith, J.

### More of them

Doe, J.

## List of abbreviations

EF is elf fan.

## End

<table><tr><td>one

*two*

</table>

It ends.
"""
HTML = """\
<h1>On bees</h1><p>A <tt>fly</tt>.<dl><dt>AB<dd>a bee<dt>CD<dd>core deer</dl>
<div class="toc"><div>One</div>Two</div><p>Text of <a name="x">it <a href="y">a.example.org/b</a>.
<table><tr><th>N<th>M<tr><td>x<td>y</table><h2>Bibliography<h3>Books</h3>Smith<h2>End</h2>It ends.
"""
LATEX = r"""\begin{document}\title{On bees}
\begin{tabular}{ll}AB & a bee\\ \hline CD & core deer\end{tabular} and \href{x}{a.example.org/b}
\begin{description}\item[EF] elf fan \item[GH] gone home\end{description} then
\section*{References} Smith \subsection{Books} Doe \section{End} It ends. \end{document}
"""
RESTRUCTUREDTEXT = """\
On bees
=======

=====  =====
N      M
=====  =====

Text.

.. list-table:: Names

   * - AB
     - a bee
   * - CD
     - core deer

.. [Smith] A book

.. [1] A note.

References
----------

Doe

.. glossary::

   AB
     a bee

End
===

:CD: core deer

It ends.
"""
ASCIIDOC = """\
= On bees

|===
|N |M
|===

Text.

AB:: a bee
CD:: core deer

It goes on.

[bibliography]
== Sources

* Smith

== Table of contents

One

== End

.A block
It ends.
"""
TEXT = """\
THE BEES OF IT

1 Introduction

Text of www.example.org here.

Contents

Bees .......... 3

2 Names

AB  a bee
CD  core deer
EF: elf fan

References
Smith

3 End

It ends.
"""
REGIONS = {
    "markdown": """title: Index|code: docs.example.org/it|table: Acronym ... deer
        |glossary: Acronym ... deer|title: References|bibliography: Smith, ... J.
        |title: More of them|title: List of abbreviations|glossary: EF is elf fan.|title: End
        |table: one two""",
    "html": """title: On bees|code: fly|glossary: AB ... deer|contents: One Two
        |code: a.example.org/b|table: N M x y|title: Bibliography|bibliography: Books Smith
        |title: Books|title: End""",
    "latex": """title: On bees|table: AB ... deer|glossary: AB ... deer
        |code: a.example.org/b|glossary: EF ... home|title: References|bibliography: Smith Books Doe
        |title: Books
        |title: End""",
    "restructuredtext": """title: On bees|table: N M|table: Names ... deer|glossary: Names ... deer
        |bibliography: A book|title: References|bibliography: Doe a bee|glossary: a bee|title: End
        |glossary: core deer""",
    "asciidoc": """title: On bees|table: N M|glossary: AB ... deer|title: Sources
        |bibliography: Sources Smith|title: Table of contents|contents: One|title: End
        |title: A block""",
    "text": """title: THE BEES OF IT|title: 1 Introduction|code: www.example.org|title: Contents
        |contents: Bees .......... 3|title: 2 Names|glossary: AB ... fan|title: References
        |bibliography: Smith|title: 3 End""",
}
ORIGINALS = {
    "markdown": MARKDOWN,
    "html": HTML,
    "latex": LATEX,
    "restructuredtext": RESTRUCTUREDTEXT,
    "asciidoc": ASCIIDOC,
    "text": TEXT,
}


def regions(source):
    """What the regions are, with the first and the last word of those of more than four."""
    result = set()
    for start, end, kind in source.regions:
        assert source.text[start:end].strip() == source.text[start:end] != ""
        words = source.text[start:end].split()
        shown = words if len(words) < 5 else [words[0], "...", words[-1]]
        result.add(f"{kind}: {' '.join(shown)}")
    return result


def expected(format):
    return {part.strip() for part in REGIONS[format].split("|")}


@pytest.mark.parametrize("format", REGIONS)
def test_regions(format):
    pytest.importorskip("pylatexenc" if format == "latex" else "re")
    source = read_text(ORIGINALS[format], format)
    assert list(source.regions) == sorted(source.regions)
    assert regions(source) == expected(format)


def test_sections_of_a_notebook_go_on_over_its_cells():
    parts = MARKDOWN.split("\n\n## ")
    cells = [parts[0], *(f"## {part}" for part in parts[1:])]
    notebook = {"cells": [{"cell_type": "markdown", "source": cell} for cell in cells]}
    assert regions(read_text(json.dumps(notebook), "notebook")) == expected("markdown")


def test_docx(tmp_path):
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("On bees", 0)
    document.styles.add_style("toc 1", 1)
    document.add_paragraph("Bees 3", "toc 1")
    table = document.add_table(2, 2)
    for at, words in enumerate(("AB", "a bee", "CD", "core deer")):
        table.cell(*divmod(at, 2)).text = words
    document.add_heading("References")
    document.add_paragraph("Smith")
    document.add_heading("End")
    document.add_paragraph("It ends.")
    document.save(tmp_path / "x.docx")
    (source,) = read_file(tmp_path / "x.docx", ProblemLog())
    assert regions(source) == {
        *("title: On bees", "contents: Bees 3", "table: AB ... deer", "glossary: AB ... deer"),
        *("title: References", "bibliography: Smith", "title: End"),
    }
