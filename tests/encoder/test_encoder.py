"""BERT and MPNet in our encoder, against transformers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from spacy_gladis.encoder.encoder import EncoderConfig
from spacy_gladis.encoder.engines import make_encoder
from spacy_gladis.encoder.engines.torch import TorchEncoder, Transformer
from spacy_gladis.errors import FormatError
from spacy_gladis.linking.acrobert import AcroBERT
from tests.support.checkpoints import CONFIG, write_mpnet

transformers = pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def mpnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    return write_mpnet(tmp_path_factory.mktemp("mpnet"))


def test_bert_is_that_of_transformers() -> None:
    sizes: dict[str, Any] = {**CONFIG.to_dict(), "attention_probs_dropout_prob": 0.0}
    config = transformers.BertConfig(**sizes)
    theirs = transformers.BertModel(config, add_pooling_layer=False).eval()
    ours = Transformer(CONFIG).eval()
    ours.load_state_dict(theirs.state_dict())
    ids = torch.randint(7, CONFIG.vocab_size, (3, 11))
    mask = torch.ones(3, 11, dtype=torch.bool)
    mask[1, 6:] = False
    positions = torch.arange(11).expand(3, 11)
    with torch.no_grad():
        expected = theirs(ids, attention_mask=mask.long()).last_hidden_state
        got = ours(ids, positions, torch.zeros_like(ids), mask[:, None, None])
    torch.testing.assert_close(got[mask], expected[mask], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("engine", [make_encoder, lambda weights: TorchEncoder(weights, "cpu")])
def test_mpnet_is_that_of_transformers(mpnet: Path, engine) -> None:
    theirs, ours = transformers.MPNetModel.from_pretrained(mpnet).eval(), AcroBERT.load(mpnet)
    ids = torch.randint(5, theirs.config.vocab_size, (3, 190))  # farther than any bucket is exact
    mask = torch.ones_like(ids, dtype=torch.bool)
    mask[1, 6:] = False
    ids[~mask] = ours.pieces.pad
    with torch.no_grad():
        expected = theirs(ids, attention_mask=mask.long()).last_hidden_state[mask].numpy()
    got = engine(ours.weights).encode(ids.numpy(), mask.numpy(), np.zeros_like(ids.numpy()))
    np.testing.assert_allclose(got[mask.numpy()], expected, atol=1e-4, rtol=1e-4)


def test_text_is_read_as_the_tokenizer_of_transformers_does(mpnet: Path) -> None:
    texts = ["artificial intelligence", "the drug in potassium diet"]
    ours = AcroBERT.load(mpnet)
    tokenizer = transformers.AutoTokenizer.from_pretrained(mpnet)
    assert ours.pieces.encode_long_forms(texts) == tokenizer(texts)["input_ids"]
    assert (ours.pieces.cls, ours.pieces.sep, ours.pieces.pad) == (0, 2, 1)
    inputs = tokenizer(texts[0], return_tensors="pt")
    with torch.no_grad():
        theirs = transformers.AutoModel.from_pretrained(mpnet).eval()
        mean = theirs(**inputs).last_hidden_state.mean(1)
    expected = torch.nn.functional.normalize(mean, dim=-1)[0].numpy()
    np.testing.assert_allclose(ours.encode_long_forms(texts)[0], expected, atol=1e-4)


@pytest.mark.parametrize(
    "content", ['{"model_type": "roberta"}', '{"model_type": "bert"}', "[]", "{"]
)
def test_settings_that_are_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "config.json").write_text(content)
    with pytest.raises(FormatError, match=r"config\.json"):
        EncoderConfig.from_file(tmp_path / "config.json")


@pytest.mark.parametrize("wrong", [{"layer_norm_eps": float("nan")}, {"hidden_dropout_prob": -2}])
def test_shares_are_between_0_and_1(wrong: dict[str, float]) -> None:
    with pytest.raises(FormatError, match=next(iter(wrong))):
        EncoderConfig.from_dict({**CONFIG.to_dict(), **wrong}, "config.json")


def test_settings_without_a_number_of_buckets() -> None:
    sizes = dict.fromkeys(("vocab_size", "hidden_size", "intermediate_size"), 8)
    heads = {"num_hidden_layers": 1, "num_attention_heads": 2}
    config = EncoderConfig.from_dict({"model_type": "mpnet", **sizes, **heads})
    assert config.relative_attention_num_buckets == 32
