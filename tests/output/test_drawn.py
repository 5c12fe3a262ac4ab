"""Long forms in reStructuredText and Markdown, where text is drawn around, linked or looked up."""

import io

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.output.expansion import Expand, expand_source

MEANINGS = {"NN": "neural network", "CHF": "congestive heart failure"}
TITLE = "NN guide\n========\n\nText.\n"
OVERLINED = "=========\n NN guide\n=========\n\nText.\n"
SIMPLE = """\
=====  =====  =====
Name   Value  Last
=====  =====  =====
x      CHF    one
ab     two    CHF
       more   of it
=====  =====  =====
"""
SPANNED = """\
Table:

  =====  =====  =====
  The two CHF   Last
  ------------  -----
  x      NN     one
  =====  =====  =====
  ab     two    three
  =====  =====  =====

The end.
"""
GRID = """\
+-------+-------+-----+
| NN    | one   | two |
+=======+=======+=====+
| CHF   | All the CHF |
|       +-------+-----+
| of it | a CHF | b   |
+-------+-------+-----+
"""


def problems(text):
    """What docutils has to say against a text."""
    core = pytest.importorskip("docutils.core")
    warnings = io.StringIO()
    core.publish_doctree(
        text, settings_overrides={"warning_stream": warnings, "report_level": 2, "halt_level": 5}
    )
    return warnings.getvalue()


@pytest.mark.parametrize("text", [TITLE, OVERLINED, SIMPLE, SPANNED, GRID])
@pytest.mark.parametrize("which", [Expand.first, Expand.all])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_titles_and_tables_grow_with_their_text(resolve, text, which, end):
    text = text.replace("\n", end)
    source = read_text(text, "restructuredtext")
    expanded = expand_source(source, resolve(source.text, **MEANINGS), which)
    assert problems(text) == problems(expanded) == ""
    assert expanded.lower().count("neural network" if "NN" in text else "congestive heart") >= 1
    again = read_text(expanded, "restructuredtext").text
    unchanged = [word for word in source.text.split() if word not in MEANINGS]
    assert [word for word in again.split() if word in unchanged][: len(unchanged)] == unchanged


def test_a_column_is_as_wide_as_its_widest_cell(resolve):
    source = read_text(SIMPLE, "restructuredtext")
    assert expand_source(source, resolve(source.text, **MEANINGS), Expand.all) == (
        "=====  ========================  =====\n"
        "Name   Value                     Last\n"
        "=====  ========================  =====\n"
        "x      congestive heart failure  one\n"
        "ab     two                       congestive heart failure\n"
        "       more                      of it\n"
        "=====  ========================  =====\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "An NN_ learns.\n\n.. _NN: http://x.org/\n",
        "See `NN`_ of it.\n\n.. _NN: http://x.org/\n",
        "See `the NN guide`_ and the guide.\n\nThe NN guide\n============\n\nText.\n",
        "See `an NN <http://x.org/>`_ and `an NN`_ again.\n",
        "======  ======\nNN      \u4e00\n======  ======\na       b\n======  ======\n",
    ],
)
def test_what_references_are_found_by_stays(resolve, text):
    source = read_text(text, "restructuredtext")
    assert "NN" in source.text
    assert problems(text) == ""
    assert expand_source(source, resolve(source.text, **MEANINGS), Expand.all) == text


@pytest.mark.parametrize(
    "text",
    [
        "A [fast NN] learns.\n\n[fast NN]: http://x.org/\n",
        "A [fast NN][] learns.\n\n[fast NN]: http://x.org/\n",
        "# The NN guide\n\nSee [there](#the-nn-guide).\n",
    ],
)
def test_what_links_of_markdown_are_found_by_stays(resolve, text):
    source = read_text(text, "markdown")
    doc = resolve(source.text, **MEANINGS)
    assert expand_source(source, doc, Expand.all) == text
    longer = text.replace("(#the-nn-guide)", "(http://x.org)").replace(
        "[fast NN][]", "[fast NN](x)"
    )
    if longer != text:
        source = read_text(longer, "markdown")
        doc = resolve(source.text, **MEANINGS)
        assert "neural network" in expand_source(source, doc, Expand.all).lower()


def test_a_name_is_replaced_as_a_whole_or_stays(resolve):
    names = ".. |a| replace:: the NN scan\n.. |NN| replace:: NN\n\n"
    source = read_text(f"{names}See |a| and |NN|.\n", "restructuredtext")
    copy = expand_source(source, resolve(source.text, **MEANINGS), Expand.all)
    assert copy == f"{names}See |a| and neural network.\n"
