"""What files of each format define, as `annotate --definitions-only` says it; no model runs."""

import json
from pathlib import Path

import pytest

from tests.support.documents import pdf

HTML_MAIL = (
    "From: a@example.org\nSubject: Minutes\nMIME-Version: 1.0\nContent-Type: text/html\n\n"
    "<div>The Coastal<br>\nHarbour Trust (CHT) met.</div>\n"
)
LATEX = "\\usepackage{acro}\n\\DeclareAcronym{cht}{short=CHT, long={%s}}\n\\begin{document}\n"

DEFINED = {
    "a broken line of HTML": ("a.html", "<p>The Coastal<br/>\n  Harbour Trust (CHT) met."),
    "a mail in HTML": ("a.eml", HTML_MAIL),
    "a word that the end of a page breaks": ("a.txt", "The Coastal Har-\n\fbour Trust (CHT) met."),
    "a word that a blank line breaks": ("a.txt", "The Coastal Har-\n\nbour Trust (CHT) met."),
    "a broken word of Markdown": ("a.md", "- The *Coastal* Har-\n  bour Trust (CHT) met.\n"),
    "a broken word of a quotation": ("a.md", "> The Coastal Har-\n> bour Trust (CHT) met.\n"),
    "a broken word of reStructuredText": ("a.rst", "* The Coastal Har-\n  bour Trust (CHT) met.\n"),
    "a broken word of AsciiDoc": ("a.adoc", "The Coastal Har-\nbour Trust (CHT) met.\n"),
    "a broken word of HTML": ("a.html", "<p>The <b>Coastal</b> Har-\n  bour Trust (CHT) met."),
    "the mark of a note behind capitals": ("a.txt", "The Coastal Harbour Trust* (CHT†) met."),
    "boxes": ("a.tex", r"The \makebox[3cm]{Coastal} \raisebox{1ex}{Harbour} Trust (CHT) met."),
    "a language": ("a.tex", r"The \foreignlanguage{ngerman}{Coastal Harbour} Trust (CHT) met."),
    "an optional hyphen": ("a.tex", r"The Coastal Har\discretionary{-}{}{}bour Trust (CHT) met."),
    "a box in a definition": (
        "a.tex",
        LATEX % r"\mbox{Coastal} \textsf{H}arbour \textup{Trust}"
        + r"The \ac{cht} met.\end{document}",
    ),
    "a link in a definition": (
        "a.tex",
        LATEX % r"\href{http://example.org}{Coastal Harbour} Trust"
        + r"The \ac{cht} met.\end{document}",
    ),
}


@pytest.fixture
def mentions(cli):
    """The mentions of a file, and their long forms."""

    def run(name, content):
        path = Path(name)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        code, out, err = cli("annotate", name, "--definitions-only", "--format", "json", "--quiet")
        assert code == 0, err
        (record,) = json.loads(out)
        return [(mention["acronym"], mention["long_form"]) for mention in record["acronyms"]]

    return run


@pytest.mark.parametrize("kind", DEFINED)
def test_an_acronym_is_defined(mentions, kind):
    name, content = DEFINED[kind]
    if name.endswith(".tex"):
        pytest.importorskip("pylatexenc")
    assert mentions(name, content) == [("CHT", "Coastal Harbour Trust")]


def test_a_broken_word_of_a_pdf_is_whole(mentions):
    pytest.importorskip("pypdf")
    content = pdf("The Coastal Har-\nbour Trust (CHT) met.")
    assert mentions("a.pdf", content) == [("CHT", "Coastal Harbour Trust")]


@pytest.mark.parametrize(
    ("written", "long_form"),
    [
        ("The Cross-\nBorder Trust (CBT) met.", "Cross-\nBorder Trust"),
        ("The On-\nline Trade Bureau (OTB) met.", "On-\nline Trade Bureau"),
        ("The Coastal Qzoor-\nbour Trust (CQT) met.", "Coastal Qzoor-\nbour Trust"),
    ],
)
def test_a_hyphen_of_a_compound_stays_in_markdown(mentions, written, long_form):
    ((_, pairs),) = mentions("a.md", written)
    assert pairs.replace(" ", "") == long_form.replace("\n", "").replace(" ", "")


def test_an_acronym_in_small_letters_that_a_glossary_has_is_found(mentions):
    pytest.importorskip("pylatexenc")
    entries = (
        "\\newacronym{gfb}{gfb}{grain futures board}\n"
        "\\newglossaryentry{ox}{name=qxox, description={a machine of the mill}}\n"
        "\\newacronym{age}{age}{advanced glycation end product}\n"
    )
    text = "The \\gls{gfb} met. Each gfb has a qxox of some age; two gfbs left, agfb."
    written = f"{entries}\\begin{{document}}\n{text}\n\\end{{document}}\n"
    assert mentions("a.tex", written) == [
        (acronym, "grain futures board") for acronym in ("gfb", "gfb", "gfbs")
    ]
    markdown = "The gfb met.\n\n`gfb` stays.\n\n*[gfb]: grain futures board\n"
    assert mentions("a.md", markdown) == [("gfb", "grain futures board")]


def test_what_holds_its_own_acronym_is_no_long_form(mentions):
    text = "Hours per flight (hpf) were read. Later hpf/day stayed, and (hpf) too.\n"
    assert mentions("a.txt", text) == [("hpf", "Hours per flight")] * 3
    recursive = "We use LAME (LAME Ain't an MP3 Encoder) and GNU's Not Unix (GNU).\n"
    assert {long for _, long in mentions("b.txt", recursive)} == {
        "LAME Ain't an MP3 Encoder",
        "GNU's Not Unix",
    }
