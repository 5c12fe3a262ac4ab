"""Notes: no part of the sentence that their mark stands in, and perhaps a definition."""

import re

import pytest

from spacy_gladis.documents.formats import read_text

SENTENCE = "The Housing Repair Fund (HRF) pays."
MARKED = {
    "markdown": [
        "The Housing Repair Fund[^a] (HRF) pays.\n\n[^a]: Founded.\n",
        "The Housing Repair Fund^[Founded.] (HRF) pays.\n",
        "The Housing Repair Fund^2^ (HRF) pays.\n",
        "The Housing Repair Fund<sup>3</sup> (HRF) pays.\n",
        "The Housing Repair Fund<sup>[4](#x)</sup> (HRF) pays.\n",
        "The Housing Repair Fund\u00b9 (HRF) pays.\n",
        "The Housing Repair Fund [@smith, p. 3] (HRF) pays.\n",
        "The Housing Repair Fund [see @smith; @jones] (HRF) pays.\n",
    ],
    "html": [
        "<p>The Housing Repair Fund<sup>3</sup> (HRF) pays.",
        "<p>The Housing Repair Fund<sup class=x><a href='#n1'>[a]</a></sup> (HRF) pays.",
        "<p>The Housing Repair Fund<sup>2,&nbsp;3</sup> (HRF) pays.",
        "<p>The Housing Repair Fund<sup>[<a href='#n'>note 1</a>]</sup> (HRF) pays.",
        "<p>The Housing Repair Fund&dagger; (HRF) pays.",
    ],
    "latex": [
        "The Housing Repair Fund\\footnote{Founded.} (HRF) pays.",
        "The Housing Repair Fund\\footnotemark[1] (HRF) pays.",
        "The Housing Repair Fund\\textsuperscript{3} (HRF) pays.",
        "The Housing Repair Fund$^{3}$ (HRF) pays.",
        "The Housing Repair Fund\\tnote{a} (HRF) pays.",
    ],
    "restructuredtext": [
        "The Housing Repair Fund [1]_ (HRF) pays.\n\n.. [1] Founded.\n",
        "The Housing Repair Fund\\ :sup:`3` (HRF) pays.\n",
    ],
    "text": ["The Housing Repair Fund* (HRF) pays.", "The Housing Repair Fund\u2020 (HRF) pays."],
    "asciidoc": [
        "The Housing Repair Fundfootnote:[Founded.] (HRF) pays.\n",
        "The Housing Repair Fundfootnote:a[Founded.] (HRF) pays.footnote:a[]\n",
        "The Housing Repair Fund^3^ (HRF) pays.\n",
        "The Housing Repair Fund^[3]^ (HRF) pays.\n",
        "The Housing Repair Fundfootnote:[https://x.org[Founded].] (HRF) pays.\n",
    ],
}


@pytest.mark.parametrize(
    ("format", "written"), [(format, text) for format, texts in MARKED.items() for text in texts]
)
def test_a_mark_is_no_part_of_the_words(format, written):
    pytest.importorskip("pylatexenc")
    source = read_text(written, format)
    sentence, *notes = [" ".join(part.split()) for part in source.text.strip().split("\n\n")]
    assert (sentence, notes) == (SENTENCE, ["Founded."] if "Founded" in written else [])
    for word in re.finditer(r"\w+", source.text):
        place = source.original_span(*word.span())
        assert place is not None
        start, end = place
        assert written[start:end] == word[0]


@pytest.mark.parametrize(
    ("format", "written", "text"),
    [
        ("html", "m<sup>2</sup>, 10<sup>3</sup>, the 1<sup>st</sup>, word<sup>TM</sup>", "m2, 103"),
        ("markdown", "m<sup>2</sup>, 10<sup>3</sup> and the 1<sup>st</sup>", "m2, 103"),
        ("latex", "m\\textsuperscript{2}, 10\\textsuperscript{3}", "m2, 103"),
        ("restructuredtext", "m\\ :sup:`2`, 10\\ :sup:`3`", "m2, 103"),
        ("asciidoc", "m^2^, 10^3^", "m^2^, 10^3^"),
        ("text", "m\u00b2, 10\u00b3", "m\u00b2, 10\u00b3"),
    ],
)
def test_what_is_raised_and_no_mark_is_text(format, written, text):
    pytest.importorskip("pylatexenc")
    assert read_text(written, format).text.startswith(text)


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (
            "A word\\footnote{One}\\footnote{two}goes\\footnote{on}.",
            "A word goes.\n\nOne\n\ntwo\n\non",
        ),
        ("Ann\\thanks{The fund.}\\emph{Bob}\n\nEve", "Ann Bob\n\nThe fund.\n\nEve"),
        ("\\section{One\\footnote{It} is} It", "One is\n\nIt\n\nIt"),
    ],
)
def test_notes_of_latex_follow_their_paragraph(latex, text):
    pytest.importorskip("pylatexenc")
    source = read_text(latex, "latex")
    assert re.sub(r"\n{2,}\s*", "\n\n", source.text.strip()) == text
    for match in re.finditer(r"\w+", source.text):
        place = source.original_span(*match.span())
        assert place and latex[slice(*place)] == match[0]


@pytest.mark.parametrize(
    ("format", "written"),
    [
        ("markdown", "The HRF[^1] pays.\n\n[^1]: {}\n"),
        ("markdown", "The **HRF**[^1] pays.\n\n* x\n\n[^1]: _{}_\n"),
        ("markdown", "The HRF^[{}] pays.\n"),
        ("latex", "The HRF\\footnote{{{}}} pays."),
        ("restructuredtext", "The HRF [1]_ pays.\n\n.. [1] {}\n"),
        ("restructuredtext", "The HRF [#a]_ pays.\n\n.. [#a] {}\n   It is old.\n"),
        ("asciidoc", "The HRFfootnote:[{}] pays.\n"),
    ],
)
@pytest.mark.parametrize(
    "note",
    ["Housing Repair Fund.", "HRF: Housing Repair Fund, a fund.", "Short for Housing Repair Fund."],
)
def test_a_note_that_says_what_an_acronym_means_defines_it(format, written, note):
    pytest.importorskip("pylatexenc")
    original = written.format(note)
    (definition,) = read_text(original, format).definitions
    assert definition[:2] == ("HRF", "Housing Repair Fund") and definition.glossary
    assert original[definition.offset :].startswith("HRF")
    for words in ("A fund of the town.", "An HRF."):
        assert not read_text(written.format(words), format).definitions
