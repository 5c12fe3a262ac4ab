"""Files put right: what is changed, that nothing else is, and that once is enough."""

import os
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_gladis.documents.formats import read_text
from spacy_gladis.lint.closed import closed_spans
from spacy_gladis.lint.finding import Edit
from spacy_gladis.lint.fix import diff, fix, write
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import Settings
from spacy_gladis.lint.tables import table_spans
from spacy_gladis.output.markup import apply_edits
from tests.support.growth import assert_linear


def run(nlp, text, format="markdown", **given):
    """The text after its fixes, and the number of edits."""

    def check(source):
        return lint([(source, nlp(source.text))], Settings(**given))

    source = read_text(text, format).at(name="x", path="x")
    done = fix(source, check(source), check)
    return done.text, done.edits


CASES = [
    ("The WHO met. The WHO.", "The World Health Organization (WHO) met. The WHO."),
    ("It is a WHO `WHO` rule.", "It is a World Health Organization (WHO) `WHO` rule."),
    ("The **EU** [met](http://EU)", "The **European Union (EU)** [met](http://EU)"),
    ("A HTML page.", "A Hypertext Markup Language (HTML) page."),
    ("An UN law.", "A UN law."),
    (
        "The European Union (EU). An EU is an EU, the EU is all of it. A European Union law.",
        "The European Union (EU). An EU is an EU, the EU is all of it. An EU law.",
    ),
    (
        "World Bank (WB), the WB, and also the World Bank (WB).",
        "World Bank (WB), the WB, and also the WB.",
    ),
    (
        "A personal identification number (PIN). PIN numbers.",
        "A personal identification number (PIN). PINs.",
    ),
    ("A XML page.\r\nAn FBI page.\r\n", "An XML page.\r\nAn FBI page.\r\n"),
    ("*[EU]: European Union\n\nThe EU.", "*[EU]: European Union\n\nThe EU."),
]


@pytest.mark.parametrize(("before", "after"), CASES)
def test_a_fix(before, after, nlp):
    assert run(nlp, before)[0] == after
    assert run(nlp, after) == (after, 0)


@pytest.mark.parametrize("format", ["asciidoc", "notebook"])
def test_other_formats_are_left_alone(format, nlp):
    text = "The WHO met." if format == "asciidoc" else '{"cells": []}'
    assert run(nlp, text, format) == (text, 0)


BREAKING = [
    ("markdown", "# The WHO rules\n\nThe WHO met."),
    ("markdown", "The WHO rules\n=======\n\nThe WHO met."),
    ("markdown", "The [WHO] met.\n\n[WHO]: https://who.int\n"),
    ("markdown", "The [WHO rules](https://who.int) are out."),
    ("markdown", "| Who | What |\n|---|---|\n| WHO | health |\n"),
    ("markdown", "Who | What\n:-- | --\nWHO | health\n"),
    ("html", "<h2>The WHO rules</h2><p>The WHO met.</p>"),
    ("html", "<p>See <a href='x'>the <b>WHO</b> rules</a>.</p>"),
    ("restructuredtext", "WHO rules\n=========\n\nThe WHO met.\n"),
    ("restructuredtext", "See the `WHO rules`_.\n\n.. _WHO rules: https://who.int\n"),
    ("restructuredtext", "+-----+----+\n| WHO | no |\n+-----+----+\n"),
    ("restructuredtext", "=== ===\nWHO no\nof  it\n=== ===\n"),
    ("latex", "We met the \\gls{WHO}."),
    ("latex", "We met. \\section{The \\emph{big} WHO}\n"),
    ("latex", "See \\href{https://who.int}{the WHO rules}."),
    ("latex", "\\section[The WHO rules]{Of health}\n"),
    ("latex", "\\caption[The WHO rules]{Of health}\n"),
    ("latex", "\\section{A {b {c} d} WHO}\n"),
    ("latex", "\\section{A % comment }\nWHO}\n"),
    ("latex", "Of \\verb|%| in \\section{A WHO}\n"),
    ("latex", "\\begin{tabular}{ll}\nThe WHO met & here \\\\\n\\end{tabular}\n"),
    (
        "latex",
        "\\begin{longtable}{l}\n\\verb|\\end{longtable}| \\\\ The WHO met.\n\\end{longtable}\n",
    ),
    ("latex", "\\begin{tabularx}{5cm}{X}\n% \\end{tabularx}\nThe WHO met.\n\\end{tabularx}\n"),
    (
        "latex",
        "\\begin{tabular}{l}\n\\begin{tabular}{l} a \\end{tabular} The WHO met.\n\\end{tabular}\n",
    ),
    ("latex", "\\begin{align*}\na & \\text{The WHO met.}\n\\end{align*}\n"),
    ("html", "<table><tr><td>The WHO met.</td></tr></table>"),
    ("html", "<TABLE><tr><td><table></table><p>The WHO met.</p></TABLE>"),
    ("markdown", "<table><tr><td>\n\nThe WHO met.\n\n</td></tr></table>\n"),
    ("html", f"<p>See <a href='{450 * 'x'}'>the WHO</a>.</p>"),
    ("html", "<p>See <a title='1 > 0' href='x'>the WHO</a>.</p>"),
    ("html", "<p>See <a href=https://x.org/>the WHO</a>.</p>"),
]


@pytest.mark.parametrize(("format", "text"), BREAKING)
def test_links_titles_tables_and_labels_stay(format, text, nlp):
    pytest.importorskip("pylatexenc" if format == "latex" else "re")
    assert run(nlp, text, format) == (text, 0)


OPEN = [
    ("latex", "% \\section{x\nThe WHO met.\n"),
    ("latex", "\\begin{verbatim}\n\\section{x\n\\end{verbatim}\n\nThe WHO met.\n"),
    ("latex", "\\section{Health} [a] {The WHO met.}\n"),
    ("latex", "See \\gls{x}. The WHO met.\n"),
    ("latex", "\\begin{tabular}{l}\na\n\\end{tabular}\n\nThe WHO met.\n"),
    ("latex", "% \\begin{tabular}{l}\nThe WHO met.\n"),
    ("html", "<!-- <table> --><table><tr><td>a</td></tr></table><p>The WHO met.</p>"),
    ("markdown", "A `<table>` is old.\n\nThe WHO met.\n"),
    ("html", "<p><a id='x'/>The WHO met.</p>"),
    ("html", "<p><a href='x'/>The WHO met.</p>"),
    ("html", "<p><a name=sec1>The WHO met.</p>"),
    ("html", "<!-- <a href='x'> --><script>'<a href=x>'</script><p>The WHO met.</p>"),
    ("html", "<h2>Of health</h3><p>The WHO met <a href='x'>there</a>.</p>"),
]


@pytest.mark.parametrize(("format", "text"), OPEN)
def test_what_ends_before_or_begins_nothing_is_no_title(format, text, nlp):
    pytest.importorskip("pylatexenc" if format == "latex" else "re")
    fixed = text.replace("The WHO", "The World Health Organization (WHO)")
    assert run(nlp, text, format) == (fixed, 1)


@pytest.mark.parametrize(
    ("format", "piece"),
    [
        ("latex", "\\section{"),
        ("latex", "\\section[{"),
        ("latex", "\\href[{"),
        ("latex", "\\ac "),
        ("latex", "\\verb|"),
        ("html", "<a href="),
        ("html", "<a href='\""),
        ("html", "<a href=x>"),
        ("html", "<!-- <script"),
    ],
)
def test_titles_are_found_in_linear_time(format, piece):
    assert_linear(lambda size: closed_spans(piece * size, format), 2_000)


@pytest.mark.parametrize(
    ("format", "piece"),
    [
        ("latex", "\\begin{tabular}"),
        ("latex", "\\verb|"),
        ("html", "<table>"),
        ("html", "<!-- <table"),
        ("markdown", "  \n<table></table>"),
    ],
)
def test_tables_are_found_in_linear_time(format, piece):
    assert_linear(lambda size: table_spans(piece * size, format), 2_000)


def test_neighbouring_acronyms_are_expanded_at_once(nlp):
    source = read_text("The WHO EU ATM.", "text").at(name="x", path="x")
    found = lint([(source, nlp(source.text))], Settings())
    done = fix(source, found, lambda _: [])
    assert done.edits == 3 and done.text.endswith("automated teller machine (ATM).")


PIECES = st.sampled_from(
    [
        *("The WHO", "a EU law", "the European Union (EU)", "ATM machine", "PIN numbers", "`WHO`"),
        *("HTML", "a HTML page", "European\nUnion", "caf\u00e9", "**EU**", "<b>WHO</b>", "$EU$"),
        *(".", "\r\n", "\n\n"),
    ]
)


@pytest.mark.parametrize("format", ["text", "markdown", "restructuredtext", "html", "latex"])
@given(pieces=st.lists(PIECES, max_size=12))
@settings(max_examples=25)
def test_a_second_run_changes_nothing(format, pieces, nlp):
    pytest.importorskip("pylatexenc" if format == "latex" else "re")
    text = " ".join(pieces)
    if format == "latex" and text.count("$") % 2:
        return
    once, _ = run(nlp, text, format)
    assert run(nlp, once, format)[0] == once
    # What a fix writes or takes away is words, acronyms and the brackets around them.
    markup = r"[`*<>$/\r]|\n"
    if "European\nUnion" not in text:
        assert re.findall(markup, once) == re.findall(markup, text)


def test_edits_that_overlap_are_made_once():
    assert apply_edits("abcdef", [Edit(1, 3, "X"), Edit(2, 4, "Y"), Edit(5, 5, "-")]) == "aXde-f"


def test_a_file_keeps_its_mark_and_mode(tmp_path):
    path = tmp_path / "x.md"
    path.write_bytes(b"\xef\xbb\xbfold\r\n")
    path.chmod(0o640)
    write(path, "new\r\n")
    assert path.read_bytes() == b"\xef\xbb\xbfnew\r\n"
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o640


def test_a_diff_is_what_patch_takes():
    shown = diff("x.md", "a\nb", "a\nc")
    assert shown.splitlines()[-4:] == [
        "-b",
        "\\ No newline at end of file",
        "+c",
        "\\ No newline at end of file",
    ]


def test_a_file_keeps_its_encoding_and_mark(tmp_path):
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path = tmp_path / encoding
        path.write_bytes("an \xe9AI".encode(encoding))
        write(path, "a \xe9BI")
        assert path.read_bytes() == "a \xe9BI".encode(encoding)
