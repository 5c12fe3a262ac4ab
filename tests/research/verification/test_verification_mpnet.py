"""MPNet in the systems that read context and sense together."""

from pathlib import Path
from typing import Any

import pytest
import torch

from spacy_gladis.modeling import AcroBERT
from spacy_gladis.research.verification.systems.bert import BertVerifier, Pooling, load_encoder
from tests.research.verification.test_verification_systems import LABELS, SENSES, accuracy
from tests.support.modeling import write_mpnet

pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    return write_mpnet(tmp_path_factory.mktemp("mpnet"))


def test_an_encoder_that_was_trained_here_is_that_of_transformers(
    start: Path, tmp_path: Path
) -> None:
    AcroBERT.load(start).save(tmp_path)
    (theirs, tokenizer), (ours, our_tokenizer) = load_encoder(start), load_encoder(tmp_path)
    texts = ("potassium diet", "daily intake")
    inputs = tokenizer(*texts, return_tensors="pt")
    assert our_tokenizer(*texts)["input_ids"] == inputs["input_ids"][0].tolist()
    with torch.no_grad():
        torch.testing.assert_close(ours.eval()(**inputs)[0], theirs.eval()(**inputs)[0])


@pytest.mark.parametrize("pooling", ["cls", "joint"])
def test_mpnet_learns_what_it_is_shown(start: Path, pooling: Pooling) -> None:
    training: dict[str, Any] = {"epochs": 40, "learning_rate": 1e-2, "batch_size": 9}
    verifier = BertVerifier(start, pooling=pooling, marked=True, **training)
    verifier.fit(SENSES, LABELS, seed=1)
    assert accuracy(verifier) > 0.9
