"""Fine-tuning as one of the systems, on a tiny AcroBERT."""

from pathlib import Path

import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.research.disambiguation.systems import acrobert
from spacy_gladis.research.disambiguation.systems.acrobert import FinetunedAcroBERT
from tests.support.modeling import write_mpnet


def test_it_learns_from_the_samples(
    tiny_weights: Path, training, questions, table, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setattr(acrobert, "LEARNING_RATE", 5e-4)
    monkeypatch.setattr(acrobert, "EPOCHS", 2)
    system = FinetunedAcroBERT(table, tiny_weights)
    with pytest.raises(InputError, match="chooses on others"):
        system.fit(training)
    system.fit(training[8:], training[:8])
    scores = system.predict(questions, [table["HR"]] * 2)
    assert all(one.shape == (3,) and 0 < one.sum() <= 1.0001 for one in scores)
    # The home run was never seen: the memory of senses has nothing that speaks for it.
    assert all(one.argmin() == 0 for one in scores)


def test_it_starts_from_another_encoder(
    tmp_path: Path, training, questions, table, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setattr(acrobert, "EPOCHS", 1)
    system = FinetunedAcroBERT(table, bert=str(write_mpnet(tmp_path / "mpnet")))
    system.fit(training[8:], training[:8])
    scores = system.predict(questions, [table["HR"]] * 2)
    assert all(one.shape == (3,) and 0 < one.sum() <= 1.0001 for one in scores)


def test_a_start_that_is_nowhere_is_told_before_it_learns(table) -> None:
    with pytest.raises(InputError, match="not installed"):
        FinetunedAcroBERT(table, bert="package:no-such-encoder")
