from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate, Dictionary
from spacy_gladis.errors import InputError
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


def test_nsp_scores_every_candidate(tiny_weights: Path, tmp_path: Path) -> None:
    from spacy_gladis.research.training.next_sentence import NextSentenceBERT

    NextSentenceBERT.load(tiny_weights, start=True).save(tmp_path / "bert")
    options = [
        Candidate(name, {}, 1, -1) for name in ("artificial intelligence", "adequate intake")
    ]
    sample = Sample("AI", "adequate intake", "AI of potassium", 0, 2)
    rows = EvaluationSet.of("small", [sample], lambda _: options)
    (tmp_path / "entries.json").write_text('{"AI": [["artificial intelligence", 3]]}')
    dictionary = Dictionary.open(tmp_path / "entries.json")
    systems = make_systems(["nsp", "popularity"], dictionary, tmp_path / "bert")
    assert list(systems) == ["nsp", "popularity"]
    first, again = (ask(rows, systems["nsp"]) for _ in range(2))
    assert first.predicted == again.predicted
    assert first.rank.tolist()[0] in (1, 2)
    assert 0 <= first.confidence[0] <= 1


def test_nsp_needs_a_model() -> None:
    with pytest.raises(InputError, match="--model"):
        make_systems(["nsp"], dictionary=None)  # type: ignore[arg-type]
