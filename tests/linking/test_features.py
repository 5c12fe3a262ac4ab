"""Features that compare an acronym's candidates with the other acronyms of its document."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.arrays import Floats
from spacy_gladis.dictionary import Dictionary
from spacy_gladis.linking import AcroBERT, Linker
from spacy_gladis.linking.calibration import Calibration
from spacy_gladis.linking.features import (
    COHERENCE,
    COSINE,
    DOCUMENT,
    ENOUGH_SENSES,
    TEXTS,
    Evidence,
    select_candidates,
    sum_others,
)
from spacy_gladis.text import Mention

ACRONYM = re.compile("AIs?|CT|mRNA|NASA")


@pytest.fixture
def linker(tiny_weights: Path, tiny_dictionary: Path) -> Linker:
    return Linker(AcroBERT.load(tiny_weights), Dictionary.open(tiny_dictionary))


def gather(linker: Linker, text: str) -> list[Evidence]:
    """Return the evidence of each acronym spelling in a text, in text order."""
    mentions = [Mention(text, *match.span()) for match in ACRONYM.finditer(text)]
    return linker.reader.gather(linker.questions(mentions), mentions)


def compare(linker: Linker, evidence: Evidence, vector: Floats) -> Floats:
    """Return the scaled cosines of an acronym's candidates with a vector."""
    vectors = linker.reader.vectors.get(evidence.question.candidates)
    cosines: Floats = linker.model.scale * (vectors @ vector) / np.linalg.norm(vector)
    return cosines


def test_the_only_acronym_of_a_document_is_compared_with_its_own_context(linker: Linker) -> None:
    [evidence] = gather(linker, "the AI of the model")
    table = evidence.mean_table
    assert not table[:, COHERENCE].any()
    assert len(set(table[:, DOCUMENT].tolist())) == 3
    np.testing.assert_allclose(table[:, DOCUMENT], table[:, COSINE], rtol=1e-4)


def test_two_acronyms_are_compared_with_each_other(linker: Linker) -> None:
    evidence = gather(linker, "the AI of the model and a scan for mRNA")
    for item, other in (evidence, evidence[::-1]):
        np.testing.assert_allclose(
            item.mean_table[:, DOCUMENT], compare(linker, item, other.queries[0]), rtol=1e-4
        )
    first, second = evidence
    [meaning] = linker.reader.vectors.get(second.question.candidates)  # mRNA has only one meaning
    trust = first.mean_table[:, COHERENCE] / compare(linker, first, meaning)
    assert np.ptp(trust) < 1e-4 and 0 < trust[0] <= 1 / ENOUGH_SENSES


def test_other_spellings_of_an_acronym_are_not_other_acronyms(linker: Linker) -> None:
    alone = gather(linker, "the AI of the model and the AIs of a diet")
    assert [item.question.acronym for item in alone] == ["AI", "AIs"]
    for item in alone:
        assert not item.mean_table[:, COHERENCE].any()
        np.testing.assert_allclose(
            item.mean_table[:, DOCUMENT], item.mean_table[:, COSINE], rtol=1e-4
        )
    first, second, scan = gather(linker, "the AI of the model, the AIs of a diet and the CT scan")
    for item in (first, second):
        np.testing.assert_allclose(
            item.mean_table[:, DOCUMENT], compare(linker, item, scan.queries[0]), rtol=1e-4
        )
    both = first.queries[0] + second.queries[0]
    np.testing.assert_allclose(scan.mean_table[:, DOCUMENT], compare(linker, scan, both), rtol=1e-4)


def test_candidates_that_are_not_encoded_get_the_lowest_cosine(linker: Linker) -> None:
    weights = Calibration(texts=1.5)
    linker.model.settings = replace(linker.model.settings, calibration=weights)
    first, _ = gather(linker, "the AI of the model and the CT of a patient")
    table = first.mean_table
    assert table[:, TEXTS].argsort()[::-1].tolist() == [0, 1, 2]
    assert sorted(select_candidates(table, weights).tolist()) == [0, 1]
    for column in (DOCUMENT, COHERENCE):
        assert table[2, column] == table[:2, column].min() < table[:2, column].max()


def test_a_second_comparison_changes_nothing(linker: Linker) -> None:
    weights = Calibration(document=0.5, coherence=0.5, topic=1.0)
    linker.model.settings = replace(linker.model.settings, calibration=weights)
    evidence = gather(linker, "the AI of the model, the CT of a patient and NASA")
    before = [item.mean_table.copy() for item in evidence]
    again = list(linker.reader.agree(evidence, np.zeros(1, np.float32)))
    for item, table in zip(again, before, strict=True):
        np.testing.assert_array_equal(item.mean_table, table)


def test_vectors_with_other_keys_are_added_up() -> None:
    vectors = np.array([[1, 0], [2, 0], [0, 4]], np.float32)
    assert sum_others(vectors, ["a", "a", "b"]).tolist() == [[0, 4], [0, 4], [3, 0]]
    assert not sum_others(vectors, ["a", "a", "a"]).any()
