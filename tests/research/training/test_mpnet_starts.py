"""MPNet wherever a training starts from a BERT, and where `--bert` asks one as it is."""

from pathlib import Path

import numpy as np
import pytest
import torch

from spacy_gladis.dictionary import Candidate
from spacy_gladis.errors import FormatError
from spacy_gladis.research.disambiguation.systems.bert import BERTEmbedding
from spacy_gladis.research.training.dataset import TrainingSet
from spacy_gladis.research.training.loop import TrainingSettings
from spacy_gladis.research.training.next_sentence import NextSentenceBERT
from spacy_gladis.research.training.recipes import OBJECTIVES, RunSettings, make_recipe, pieces_of
from tests.support.modeling import write_mpnet
from tests.support.training import tiny_samples

pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    return write_mpnet(tmp_path_factory.mktemp("mpnet"))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_objective_starts_from_mpnet(start: Path, tmp_path: Path, objective: str) -> None:
    settings = RunSettings(tmp_path, str(start), TrainingSettings(1, batch_size=4), objective)
    training = TrainingSet.build(tiny_samples(), pieces_of(objective, start), settings.window)
    made = make_recipe(settings, start, training, None).objective
    loss, _ = made.loss(made.batch(0))
    loss.backward()
    assert torch.isfinite(loss)
    learnt = {name for name, one in made.module.named_parameters() if one.grad is not None}
    assert "bert.encoder.relative_attention_bias.weight" in learnt


def test_a_next_sentence_head_is_a_bert_s(start: Path, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"cls\.seq_relationship"):
        NextSentenceBERT.load(start)
    model = NextSentenceBERT.load(start, start=True)
    contexts = [one.mention for one in tiny_samples(1)]
    names = [["artificial intelligence", "breast cancer"]] * len(contexts)
    model.save(tmp_path)
    again = NextSentenceBERT.load(tmp_path).score(contexts, names)
    np.testing.assert_allclose(np.stack(model.score(contexts, names)), np.stack(again), atol=1e-5)


def test_embeddings_of_mpnet(start: Path) -> None:
    samples = tiny_samples(1)[:2]
    options = [Candidate(name, {}, 0, -1) for name in ("artificial intelligence", "drug")]
    (first, _) = BERTEmbedding(str(start)).predict(samples, [options] * 2)
    assert first.shape == (2,) and np.abs(first).max() <= 1 + 1e-5
