"""The part of a training set that travels: the samples worth most, and all that they need."""

from pathlib import Path

import numpy as np
import pytest
from gpu_subset import by_worth, subset

from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.training.dataset import TrainingSet
from spacy_gladis.research.training.senses import Senses
from tests.support.training import tiny_pieces, tiny_samples

ALONE = Sample("MRI", "magnetic resonance imaging", "a scan by MRI", 10, 13, document="alone")


@pytest.fixture
def data() -> TrainingSet:
    samples = [*tiny_samples(3), ALONE]
    return TrainingSet.build(samples, tiny_pieces(), 32)


def test_each_sense_has_two_documents_before_any_has_a_third(data: TrainingSet) -> None:
    order = by_worth(data, seed=0)
    pairs = np.stack([data.acronyms[order], data.positives[order]], 1)
    senses, counts = np.unique(pairs[:12], axis=0, return_counts=True)
    assert len(senses) == 6
    assert set(counts.tolist()) == {2}
    assert len(set(data.documents[order].tolist())) == len(order) == 18, "no sample of one document"
    acronyms = data.acronyms[order[:12]].reshape(3, 4)
    assert (acronyms == acronyms[:, :1]).all(), "the senses of one acronym lie together"


def test_an_acronym_of_one_sense_comes_last(data: TrainingSet) -> None:
    twice = [ALONE, ALONE._replace(document="another")]
    data = TrainingSet.build([*twice, *tiny_samples(3)], tiny_pieces(), 32)
    order = by_worth(data, seed=0).tolist()
    assert sorted(order[-2:]) == [0, 1]
    assert len(order) == 20


def test_a_subset_means_what_the_whole_did(data: TrainingSet, tmp_path: Path) -> None:
    chosen = by_worth(data, seed=0)[:4]
    subset(data, chosen, 8).save(tmp_path / "part.safetensors")
    part = TrainingSet.load(tmp_path / "part.safetensors")
    assert len(part) == 4
    assert len(part.pools) == 1
    assert len(part.long_forms) == 2, "those that the acronym has"
    by_document = dict(zip(data.documents[chosen].tolist(), chosen.tolist(), strict=True))
    for row, document in enumerate(part.documents.tolist()):
        before = by_document[document]
        for one, other in ((part, row), (data, before)):
            assert one.positives[other] in one.pools[int(one.acronyms[other])]
        meant = part.long_forms[int(part.positives[row])].tolist()
        assert meant == data.long_forms[int(data.positives[before])].tolist()
        first, last = part.mentions[row]
        start, end = data.mentions[before]
        assert (part.windows[row][first:last] == data.windows[before][start:end]).all()
        assert len(part.windows[row]) <= 8
    assert len(Senses(part).partnered) == 2


def test_spellings_are_numbered_anew(data: TrainingSet) -> None:
    alike = [
        ALONE,
        ALONE._replace(document="another"),
        ALONE._replace(long_form="magnetic resonance imagery"),
    ]
    data = TrainingSet.build([*tiny_samples(2), *alike], tiny_pieces(), 32)
    rows = np.flatnonzero(data.acronyms == data.acronyms[-1])
    part = subset(data, rows, 32)
    assert [part.spellings[row].tolist() for row in range(2)] == [[1], [0]]
