import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.disambiguation.systems.counting import (
    FirstCandidate,
    MostFrequent,
    Popularity,
)
from spacy_gladis.research.disambiguation.systems.protocol import Baseline

OPTIONS = [
    Candidate("heart rate", {"medicine": 6, "sport": 1}, 7, 0),
    Candidate("human resources", {"business": 21}, 21, 1),
    Candidate("home run", {"sport": 0}, 0, 2),
]


def sample(long_form: str, acronym: str = "HR") -> Sample:
    return Sample(acronym, long_form, f"The {acronym} rose.", 4, 4 + len(acronym))


def test_first_candidate() -> None:
    scores = FirstCandidate().predict([sample("home run")] * 2, [OPTIONS, []])
    assert scores[0].tolist() == [1, 0, 0]
    assert scores[1].shape == (0,)


def test_popularity_is_the_share_of_the_counts() -> None:
    (scores,) = Popularity().predict([sample("home run")], [OPTIONS])
    assert scores == pytest.approx([0.25, 0.75, 0])
    uncounted = [one._replace(total=0) for one in OPTIONS]
    (scores,) = Popularity().predict([sample("home run")], [uncounted])
    assert scores == pytest.approx([1 / 3] * 3)
    assert Popularity().predict([sample("x")], [[]])[0].shape == (0,)


def test_most_frequent_counts_each_acronym_by_itself() -> None:
    baseline = MostFrequent()
    baseline.fit([sample("home run"), sample("home run"), sample("heart rate"), sample("x", "X")])
    known, unknown = baseline.predict([sample("?"), sample("?", "HRX")], [OPTIONS, OPTIONS])
    assert known == pytest.approx([1 / 3, 0, 2 / 3])
    assert unknown.tolist() == [0, 0, 0]


@pytest.mark.parametrize("baseline", [FirstCandidate(), Popularity(), MostFrequent()])
def test_no_baseline_looks_at_the_answer(baseline: Baseline) -> None:
    answers = [candidate.long_form for candidate in OPTIONS]
    scores = baseline.predict([sample(answer) for answer in answers], [OPTIONS] * 3)
    assert all(np.array_equal(scores[0], one) for one in scores)
