"""The published way of scoring as a system of the evaluation."""

from pathlib import Path

import pytest

from spacy_gladis.dictionary import Candidate, Dictionary
from spacy_gladis.errors import InputError
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.disambiguation.gladis.run import ask, make_systems
from spacy_gladis.research.disambiguation.gladis.sets import EvaluationSet


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
