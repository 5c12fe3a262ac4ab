"""Files of own entries: `overlay` of the linker, and of `load_pipeline`."""

from typing import Any

import pytest
import spacy

from spacy_gladis.pipeline.load import load_detector, load_pipeline

OWN = "acronym,long_form\nESA,Employee Stock Account\nqbr,quarterly business review\n"
TEXT = "OpenAI told ESA of the qbr."


@pytest.fixture
def overlays(tmp_path):
    """A table of own entries."""
    (tmp_path / "own.csv").write_text(OWN)
    return str(tmp_path / "own.csv")


@pytest.fixture
def ignored(tmp_path):
    """A table of what is not an acronym."""
    (tmp_path / "ignored.tsv").write_text("OpenAI\t\nESA\t\n")
    return str(tmp_path / "ignored.tsv")


def pipeline(settings, overlay):
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker", config={**settings, "overlay": overlay})
    return nlp


def answers_of(nlp, text=TEXT):
    doc = nlp(text)
    return {span.text: span.kb_id_ for span in doc.spans["acronyms"]}


def test_of_several_files_the_last_wins(settings, overlays, ignored):
    assert answers_of(pipeline(settings, [overlays, ignored])) == {
        "qbr": "quarterly business review"
    }
    answers = answers_of(pipeline(settings, [ignored, overlays]))
    assert answers == {"ESA": "Employee Stock Account", "qbr": "quarterly business review"}


@pytest.mark.parametrize("content", ["QZR,quartz\n,no acronym\n", "QZR,quartz\nAI\n"])
def test_a_bad_row_is_named_and_passed_over(settings, tmp_path, content, caplog):
    (tmp_path / "own.csv").write_text(content)
    nlp = pipeline(settings, str(tmp_path / "own.csv"))
    assert nlp.get_pipe("acrobert_linker").dictionary.user_acronyms == {"QZR"}
    assert "own.csv:2" in caplog.text


def test_a_saved_pipeline_needs_no_overlay(settings, overlays, ignored, tmp_path):
    nlp = pipeline(settings, overlays)
    expected = answers_of(nlp)
    nlp.to_disk(tmp_path / "saved")
    (tmp_path / "own.csv").unlink()
    assert answers_of(spacy.load(tmp_path / "saved")) == expected
    nlp = load_pipeline(tmp_path / "saved", overlay=[ignored])
    assert answers_of(nlp) == {"qbr": "quarterly business review"}
    linker: Any = nlp.get_pipe("acrobert_linker")
    linker.configure(overlay=[ignored])
    assert answers_of(nlp) == {"qbr": "quarterly business review"}


def test_a_detector_alone_has_own_entries(overlays, ignored):
    doc = load_detector(overlay=[overlays, ignored])(TEXT)
    assert [span.text for span in doc.spans["acronyms"]] == ["qbr"]
