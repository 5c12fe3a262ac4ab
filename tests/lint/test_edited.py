"""Meanings of acronyms in a document while it is being edited."""

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.lint.edited import CheckedVersion, link
from spacy_gladis.lint.project import Project
from spacy_gladis.lint.settings import Settings
from spacy_gladis.pipeline.load import load_pipeline

pytestmark = pytest.mark.slow

TEXT = "The MRI of the patient showed no lesion. She works for WHO.\n\nThe MRI was repeated.\n"


def checked(text, version):
    project = Project()
    source = read_text(text, "markdown").at(name="notes.md", path="notes.md")
    return CheckedVersion(version, project.put(source, Settings()), (), project.definitions)


@pytest.fixture(scope="module")
def linked():
    return link(load_pipeline(), checked(TEXT, 1))


@pytest.mark.parametrize("words", ["An urgent MRI", "The cardiac MRI"])
def test_an_acronym_in_a_changed_paragraph_keeps_the_meaning_of_all_its_mentions(linked, words):
    newer = checked(TEXT.replace("The MRI", words, 1), 2)
    offset = newer.text.index("MRI")
    mention = linked.find_in(newer, offset + 1)
    assert mention.answer.long_form == "magnetic resonance imaging"
    assert (mention.start, mention.end, mention.place) == (offset, offset + 3, offset)


def test_a_new_acronym_has_no_meaning_before_it_is_linked(linked):
    newer = checked(TEXT.replace("The MRI", "The PET", 1), 2)
    assert linked.find_in(newer, newer.text.index("PET")) is None


def test_words_and_places_between_acronyms_have_no_meaning(linked):
    newer = checked(TEXT.replace("patient", "young patient"), 2)
    assert linked.find_in(newer, newer.text.index("young")) is None


def test_a_definition_in_a_newer_version_takes_precedence(linked):
    newer = checked(TEXT.replace("for WHO", "for the Wool House Office (WHO). The WHO grew"), 2)
    mention = linked.find_in(newer, newer.text.rindex("WHO"))
    assert mention.answer.long_form == "Wool House Office"
    assert mention.answer.source == "definition"


@pytest.mark.parametrize("text", ["The MRI met.\n\n", "The MRI met.\n\nM\n", ""])
def test_a_part_of_a_paragraph_is_no_unchanged_paragraph(linked, text):
    newer = checked(text, 2)
    assert linked.find_in(newer, len(text)) is None
