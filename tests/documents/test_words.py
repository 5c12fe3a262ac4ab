"""Words as readers see them: whole, without what only says where they break or what a note adds."""

import pytest

from spacy_gladis.documents.formats import read_file, read_text
from spacy_gladis.problem import ProblemLog
from tests.support.documents import pdf


def text_of(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (source,) = read_file(path, ProblemLog())
    return source.text


BROKEN = {
    "the Northern Fish-\neries Council": "the Northern Fisheries Council",
    "the Northern Fish-  \n   eries Council": "the Northern Fisheries Council",
    "a Long-\nTerm Plan": "a Long-Term Plan",
    "COVID-\n19 cases": "COVID-19 cases",
    "a state-of-the-\nart plan": "a state-of-the-art plan",
    "a state-\nof-the-art plan": "a state-of-the-art plan",
    "a well-\nknown plan": "a well-known plan",
    "by re-sale and by re-\nsale": "by re-sale and by re-sale",
    "by re-sale, resale and re-\nsale": "by re-sale, resale and resale",
    "pre- and post-\noperative": "pre- and postoperative",
    "the pre-\nand postoperative care": "the pre-\nand postoperative care",
    "a dash -\nand more": "a dash -\nand more",
    "one-\n\ntwo": "one-\n\ntwo",
    "Northern Fish\u00ad\neries": "Northern Fisheries",
    "a well\u00ad\nknown Fish\u00ad\nEries": "a wellknown FishEries",
    "CFD-\nDEM and FISH-\nERIES of the Fisheries": "CFD-DEM and FISHERIES of the Fisheries",
}


@pytest.mark.parametrize("written", BROKEN)
def test_words_that_line_ends_break_are_whole(written, tmp_path):
    for end in ("\n", "\r\n"):
        read = text_of(tmp_path / "x.txt", written.replace("\n", end))
        assert read.replace(" \n", "\n") == BROKEN[written]
    if "\n\n" in written or not written.isascii():
        return
    pytest.importorskip("pypdf")
    read = text_of(tmp_path / "x.pdf", pdf(written))
    assert " ".join(read.split()) == " ".join(BROKEN[written].split())


def test_a_broken_word_has_its_place():
    written = "NORTHERN FISH\n\nNorthern Fish-\n eries (QABC)."
    source = read_text(written, "text")
    start = source.text.index("QABC")
    assert source.original_span(start, start + 4) == (38, 42)
    assert str(source.position(start)) == "4:9"
    assert [source.text[region.start : region.end] for region in source.regions] == [
        "NORTHERN FISH"
    ]


@pytest.mark.parametrize(
    ("format", "written"),
    [
        ("html", "<p>Dredg&shy;ing Auth<wbr>ority (HDA)"),
        ("html", "<p>Dredg&#xAD;ing Auth&#8203;ority (HDA)"),
        ("markdown", "Dredg&shy;ing Auth\u200bority (HDA)"),
        ("latex", "Dredg\\-ing Authority (HDA)"),
        ("asciidoc", "Dredg&#173;ing Auth{zwsp}ority (HDA)"),
        ("asciidoc", "Dredg&shy;ing Auth{wj}ority (HDA)"),
        ("restructuredtext", "Dredg\u00ading Auth\\ ority (HDA)"),
        ("text", "\ufeffDredg\u00ading Auth\u2060ority (HDA)"),
    ],
)
def test_signs_that_are_not_seen_are_no_text(format, written):
    pytest.importorskip("pylatexenc")
    source = read_text(written, format)
    assert source.text.strip() == "Dredging Authority (HDA)"
    start = source.text.index("HDA")
    assert source.original_span(start, start + 3) == (
        written.index("HDA"),
        written.index("HDA") + 3,
    )


def test_a_title_with_signs_that_are_not_seen():
    written = "<abbr title='Dredg&shy;ing Authority'>D&shy;A</abbr>"
    (definition,) = read_text(written, "html").definitions
    assert definition[:2] == ("DA", "Dredging Authority")


def test_escapes_of_signs_that_are_not_seen(tmp_path):
    written = '{"text": "Dredg\\u00ading Auth\\u200bority (HDA)"}\n'
    assert text_of(tmp_path / "x.jsonl", written) == "Dredging Authority (HDA)"
