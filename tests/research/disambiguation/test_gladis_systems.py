from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate, Dictionary
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.disambiguation.gladis.run import SYSTEMS, ask, make_systems
from spacy_gladis.research.disambiguation.gladis.sets import EvaluationSet


@pytest.fixture
def small_set() -> EvaluationSet:
    names = ("artificial intelligence", "adequate intake", "something unheard of")
    options = [Candidate(name, {"own": n}, n, -1) for n, name in enumerate(names)]
    samples = [
        Sample("AI", names[0], "the model learns from data with AI", 32, 34),
        Sample("AI", names[1], "AI of potassium", 0, 2),
    ]
    return EvaluationSet.of("small", samples, lambda _: options)


def test_every_system_answers_with_probabilities(
    tiny_weights: Path, tmp_path: Path, small_set: EvaluationSet
) -> None:
    path = tmp_path / "entries.json"
    path.write_text('{"AI": [["artificial intelligence", 3], ["adequate intake", 1]]}')
    systems = make_systems(["all"], Dictionary.open(path), tiny_weights)
    assert tuple(systems) == SYSTEMS
    for name, scorer in systems.items():
        answers = ask(small_set, scorer)
        again = ask(small_set, scorer)
        assert answers.probabilities, name
        assert answers.predicted == again.predicted
        np.testing.assert_array_equal(answers.confidence, again.confidence)
        assert (answers.rank > 0).all()


def test_systems_come_in_the_order_asked_for_and_once() -> None:
    systems = make_systems(["popularity", "first", "popularity"], dictionary=None)  # type: ignore[arg-type]
    assert list(systems) == ["popularity", "first"]
