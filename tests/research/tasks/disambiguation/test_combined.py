"""Evidence weighed together, on a tiny AcroBERT and on numbers."""

from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.research.tasks.disambiguation.data import Question
from spacy_gladis.research.tasks.disambiguation.systems.combined import fit_weights
from tests.support.checkpoints import write_mpnet
from tests.support.tasks import make


def test_it_learns_from_the_samples(tiny_weights: Path, parts, questions) -> None:
    pytest.importorskip("bm25s")
    system = make("ad", "combined", model=tiny_weights)
    with pytest.raises(InputError, match="development samples"):
        system.fit(parts._replace(dev=()))
    system.fit(parts)
    scores = system.predict(questions)
    assert [int(score.argmax()) for score in scores] == [2, 1]
    assert all(score.sum() == pytest.approx(1) for score in scores)
    assert system.predict([Question(questions[0].sample, [])])[0].shape == (0,)


def test_the_evidence_that_tells_answers_apart_weighs_most() -> None:
    random = np.random.default_rng(0)
    questions = [random.normal(size=(4, 2)) for _ in range(200)]
    answers = [int(rows[:, 0].argmax()) for rows in questions]
    telling, idle = fit_weights(questions, answers)
    assert telling > 1 and abs(idle) < telling / 10
    # A question without its answer teaches nothing.
    assert np.allclose([telling, idle], fit_weights([*questions, questions[0]], [*answers, None]))


@pytest.mark.parametrize("start", ["model", "base"])
def test_the_tuned_model_learns_from_the_samples(
    start: str, tiny_weights: Path, tmp_path: Path, parts, questions
) -> None:
    pytest.importorskip("sklearn")
    value = tiny_weights if start == "model" else str(write_mpnet(tmp_path))
    system = make("ad", "finetuned", **{start: value})
    with pytest.raises(InputError, match="labelled samples"):
        system.fit(parts._replace(train=()))
    system.fit(parts)
    scores = system.predict(questions)
    assert all(score.shape == (3,) and 0 < score.sum() <= 1.0001 for score in scores)
    # The home run was never seen: the memory of senses has nothing that speaks for it.
    assert all(score.argmin() == 0 for score in scores)


def test_a_start_that_is_nowhere_is_named(parts) -> None:
    with pytest.raises(InputError, match="not installed"):
        make("ad", "finetuned", base="package:no-such-encoder").fit(parts)
