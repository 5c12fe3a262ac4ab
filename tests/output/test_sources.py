"""Answers and expansions in a file's own format."""

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.errors import InputError
from spacy_gladis.output.expansion import Expand, expand_source
from spacy_gladis.output.records import to_record
from spacy_gladis.pipeline.annotate import with_marked
from spacy_gladis.pipeline.annotations import mentions_of

TEXT = "---\ntitle: AI\n---\nAn **AI** of `AI` in a [AI](x).\n"


def test_a_file_is_expanded_in_its_own_format(resolve):
    source = read_text(TEXT, "markdown")
    doc = resolve(source.text, AI="adequate intake")
    first = expand_source(source, doc, Expand.first)
    assert first == TEXT.replace("**AI**", "**adequate intake (AI)**")
    tooltip = '<abbr title="adequate intake">AI</abbr>'
    shown = expand_source(source, doc, Expand.tooltip)
    assert shown == TEXT.replace("**AI**", f"**{tooltip}**")


@pytest.mark.parametrize(
    ("format", "written"), [("html", "R&amp;D"), ("markdown", "R&amp;D"), ("latex", "R\\&D")]
)
def test_an_escaped_ampersand_is_of_the_acronym(format, written, resolve):
    pytest.importorskip("pylatexenc")
    source = read_text(f"The {written} team.", format)
    doc = resolve(source.text, **{"R&D": "research & development"})
    ampersand = "&" if format == "markdown" else written[1:-1]
    expanded = f"The research {ampersand} development (R{ampersand}D) team."
    assert expand_source(source, doc, Expand.first) == expanded


def test_tooltips_are_for_html_and_markdown(resolve):
    source = read_text("an AI", "text")
    with pytest.raises(InputError, match="html and markdown"):
        expand_source(source, resolve(source.text, AI="x"), Expand.tooltip)


def test_records_have_the_file_s_offsets(resolve):
    source = read_text(TEXT, "markdown")
    first, second = to_record(resolve(source.text), "x", source)["acronyms"]
    assert TEXT[first["start"] : first["end"]] == TEXT[second["start"] : second["end"]] == "AI"
    assert (first["line"], first["column"], second["column"]) == (4, 6, 25)


def test_marked_definitions_are_answers(resolve):
    source = read_text("An AI.\n\n*[AI]: adequate intake\n", "markdown")
    ((_, _, answer),) = mentions_of(with_marked(resolve(source.text, AI="other"), source))
    assert (answer.long_form, answer.source) == ("adequate intake", "definition")
