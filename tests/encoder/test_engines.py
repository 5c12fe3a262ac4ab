"""The two engines: onnxruntime and torch give the same, wherever it was saved."""

import multiprocessing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spacy_gladis.arrays import Flags, Floats, Ints
from spacy_gladis.encoder.encoder import Encoder
from spacy_gladis.encoder.engines.torch import TorchEncoder
from spacy_gladis.linking import AcroBERT
from spacy_gladis.text import Mention
from tests.support.checkpoints import CONFIG, write_mpnet

NAMES = ["artificial intelligence", "adequate intake", "a", "breast cancer of the potassium diet"]
CONTEXTS = [Mention("the AI of potassium in the diet", 4, 6), Mention("AI", 0, 2)]


def on_torch(model: AcroBERT) -> AcroBERT:
    other = model.with_weights(model.weights)
    other.encoder = TorchEncoder(model.weights, "cpu")
    return other


@pytest.fixture(params=["bert", "mpnet"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> AcroBERT:
    if request.param == "bert":
        acrobert: AcroBERT = request.getfixturevalue("model")
        return acrobert
    pytest.importorskip("transformers")
    return AcroBERT.load(write_mpnet(tmp_path / "mpnet"))


def test_both_engines_give_the_same_vectors(either: AcroBERT) -> None:
    other = on_torch(either)
    for read in (
        lambda model: model.encode_long_forms(NAMES),
        lambda model: model.encode_contexts(CONTEXTS),
    ):
        np.testing.assert_allclose(read(either), read(other), atol=1e-5)


def test_tokens_see_those_of_their_own_text_alone(model: AcroBERT) -> None:
    token_ids = np.array([[2, 8, 9, 3, 2, 10, 11, 12, 3, 0], [2, 13, 14, 15, 16, 3, 0, 0, 0, 0]])
    segments = np.array([[0] * 4 + [1] * 5 + [-1], [2] * 6 + [-1] * 4])
    mask = segments >= 0
    encoders: list[Encoder] = [model.encoder, TorchEncoder(model.weights, "cpu")]
    for encoder in encoders:
        states = encoder.encode(token_ids, mask, segments)
        assert states.dtype == np.float32 and states.shape == (2, 10, CONFIG.hidden_size)
        for number in range(3):
            is_inside = segments == number
            ids = token_ids[is_inside][None]
            alone = encoder.encode(ids, np.ones_like(ids, bool), np.zeros_like(ids))
            np.testing.assert_allclose(states[is_inside], alone[0], atol=1e-5)


def _encode(encoder: Encoder, arrays: tuple[Ints, Flags, Ints], results: Any) -> None:
    results.put(encoder.encode(*arrays))


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="nothing forks here"
)
def test_a_process_that_forked_goes_on(model: AcroBERT, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads do not survive a fork: a session of two would wait for them without end."""
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    ids = np.full((40, 48), 9)
    arrays = (ids, np.ones_like(ids, bool), np.zeros_like(ids))
    expected: Floats = model.encoder.encode(*arrays)
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    worker = context.Process(target=_encode, args=(model.encoder, arrays, results))
    worker.start()
    try:
        np.testing.assert_allclose(results.get(timeout=60), expected, atol=1e-5)
        worker.join(60)
        assert worker.exitcode == 0
    finally:
        worker.kill()


def test_vectors_do_not_depend_on_the_batch(model: AcroBERT) -> None:
    names = [*NAMES, "a very " * 60 + "long form", *[f"long form number {n}" for n in range(40)]]
    together = model.encode_long_forms(names)
    alone = np.concatenate([model.encode_long_forms([name]) for name in names])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
