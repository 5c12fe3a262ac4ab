"""Names that stand for words: substitutions, attributes and roles."""

import pytest

from spacy_gladis.documents.formats import read_text

BENCH = "Quarry Review Bench"


@pytest.mark.parametrize("role", ["abbr", "abbreviation", "ab", "acronym", "ac", "std:abbr"])
def test_roles_of_abbreviations_define(role):
    written = f"The :{role}:`QRB ({BENCH})` met. The :{role}:`QDEF` left."
    source = read_text(written, "restructuredtext")
    (definition,) = source.definitions
    assert definition[:2] == ("QRB", BENCH) and written[definition.offset :].startswith("QRB")
    assert source.text.endswith("The QDEF left.")


def test_a_role_may_stand_behind_its_text():
    written = f"The `QRB ({BENCH})`:abbr: met, `QDEF (not)`."
    source = read_text(written, "restructuredtext")
    (definition,) = source.definitions
    assert definition[:2] == ("QRB", BENCH) and written[definition.offset :].startswith("QRB")
    assert source.text == f"The QRB ({BENCH}) met, QDEF (not)."


@pytest.mark.parametrize("place", ["{1}\n\n{0}", "{0}\n\n{1}"])
def test_substitutions_are_the_words_they_stand_for(place):
    names = (
        f".. |QRB| replace:: :abbr:`QRB ({BENCH})`\n.. |the bench| replace:: *{BENCH}*\n   (QB)\n"
    )
    written = place.format("The |QRB| met. |The Bench| left, and |nothing|.", names)
    source = read_text(written, "restructuredtext")
    assert source.text.strip() == f"The QRB ({BENCH}) met. {BENCH} (QB) left, and ."
    (definition,) = source.definitions
    assert definition[:2] == ("QRB", BENCH) and written[definition.offset :].startswith("QRB")
    start = source.text.index("QB")
    assert source.original_offset(start) == written.index("|The Bench|")
    assert source.original_span(start, start + 2) is None


def test_cells_between_commas():
    written = (
        '.. csv-table:: List\n   :header: "Short", "Long"\n   :widths: 1, 2\n\n'
        f'   QRB, "{BENCH}"\n   "QABC", a "QDEF" b\n\nThe QRB left.\n'
    )
    source = read_text(written, "restructuredtext")
    assert source.text.split("\n\n") == [
        *("Short", "Long", "QRB", BENCH, "QABC", 'a "QDEF" b', "The QRB left."),
    ]
    assert [region.kind for region in source.regions] == ["table"]
    for word in ("QABC", "QDEF", "Quarry"):
        start = source.text.index(word)
        place = source.original_span(start, start + len(word))
        assert place is not None
        assert written[slice(*place)] == word


@pytest.mark.parametrize("delimiter", ["tab", ";"])
def test_cells_between_other_signs(delimiter):
    sign = "\t" if delimiter == "tab" else delimiter
    written = f".. csv-table::\n   :delim: {delimiter}\n\n   QRB{sign}{BENCH}\n"
    source = read_text(written, "restructuredtext")
    assert source.text == f"QRB\n\n{BENCH}"
    assert {region.kind for region in source.regions} == {"table", "glossary"}


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (f":qrb: {BENCH} (QRB)", "The {qrb} met."),
        (f":qrb: {BENCH} \\\n  (QRB)", "The {qrb} met."),
        (f":bench: {BENCH}\n:QRB: {{bench}} (QRB)", "The {QRB} met."),
        (f":bench: _{BENCH}_", "The {bench} (QRB) met."),
        (":short: QRB", f"The {BENCH} ({{short}}) met."),
        (f":q: x\n:q: {BENCH}", "The {q} (QRB){empty}met."),
        (f":q: {BENCH}\n:other: x\n:other!:", "The {q} (QRB) {other}met."),
        (f":q: {BENCH.replace(' ', '&#32;')}", "The {q} (QRB) met."),
        (f":q: pass:q[*{BENCH}*]", "The {q} (QRB) met."),
        (f":q: {BENCH}", "The *{q}* (_QRB_) met."),
        ("", f"{{set:q:{BENCH}}}The {{q}} (QRB) met."),
        ("", f"The [.def]#{BENCH}# (##Q##RB) met."),
    ],
)
def test_attributes_are_the_words_they_stand_for(names, sentence):
    written = f"= Title\n{names}\n\n{sentence}\n"
    source = read_text(written, "asciidoc")
    assert source.text == f"Title\n\nThe {BENCH} (QRB) met."
    start = source.text.index("met")
    assert source.original_span(start, start + 3) == (
        written.index("met"),
        written.index("met") + 3,
    )


def test_names_that_name_one_another_do_not_grow_without_end():
    names = "".join(f":a{n + 1}: {{a{n}}}{{a{n}}}\n" for n in range(60))
    assert len(read_text(f":a0: xx\n{names}\nThe {{a60}}.\n", "asciidoc").text) < 2_000
