"""MPNet in our encoder, against transformers."""

from pathlib import Path

import numpy as np
import pytest
import torch

from spacy_gladis.errors import FormatError
from spacy_gladis.modeling.acrobert import AcroBERT
from spacy_gladis.modeling.encoder import EncoderConfig
from spacy_gladis.modeling.engines import make_encoder
from spacy_gladis.modeling.engines.torch import TorchEncoder
from tests.support.modeling import write_mpnet

pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    return write_mpnet(tmp_path_factory.mktemp("mpnet"))


@pytest.mark.parametrize("engine", [make_encoder, lambda weights: TorchEncoder(weights, "cpu")])
def test_equals_the_encoder_of_transformers(folder: Path, engine) -> None:
    from transformers import MPNetModel

    theirs, ours = MPNetModel.from_pretrained(folder).eval(), AcroBERT.load(folder)
    ids = torch.randint(5, theirs.config.vocab_size, (3, 190))  # farther than any bucket is exact
    mask = torch.ones_like(ids, dtype=torch.bool)
    mask[1, 6:] = False
    ids[~mask] = ours.pieces.pad
    with torch.no_grad():
        expected = theirs(ids, attention_mask=mask.long()).last_hidden_state[mask].numpy()
    got = engine(ours.weights).encode(ids.numpy(), mask.numpy(), np.zeros_like(ids.numpy()))
    np.testing.assert_allclose(got[mask.numpy()], expected, atol=1e-4, rtol=1e-4)


def test_reads_text_as_the_tokenizer_of_transformers_does(folder: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    texts = ["artificial intelligence", "the drug in potassium diet"]
    ours = AcroBERT.load(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert ours.pieces.long_forms(texts) == tokenizer(texts)["input_ids"]
    assert (ours.pieces.cls, ours.pieces.sep, ours.pieces.pad) == (0, 2, 1)
    inputs = tokenizer(texts[0], return_tensors="pt")
    with torch.no_grad():
        mean = AutoModel.from_pretrained(folder).eval()(**inputs).last_hidden_state.mean(1)
    expected = torch.nn.functional.normalize(mean, dim=-1)[0].numpy()
    np.testing.assert_allclose(ours.encode_long_forms(texts)[0], expected, atol=1e-4)


def test_packed_texts_are_read_as_those_that_stand_alone(folder: Path) -> None:
    model = AcroBERT.load(folder)
    names = ["breast cancer", "potassium diet grams", "ai"]
    together = model.encode_long_forms(names)
    alone = np.concatenate([model.encode_long_forms([name]) for name in names])
    np.testing.assert_allclose(together, alone, atol=1e-5, rtol=1e-4)


def test_what_is_saved_loads_the_same(folder: Path, tmp_path: Path) -> None:
    model = AcroBERT.load(folder)
    model.save(tmp_path)
    loaded = AcroBERT.load(tmp_path)
    assert loaded.weights.config == model.weights.config
    assert loaded.weights.config.model_type == "mpnet"
    assert loaded.fingerprint() == model.fingerprint()


def test_settings_without_a_number_of_buckets() -> None:
    sizes = dict.fromkeys(("vocab_size", "hidden_size", "intermediate_size"), 8)
    heads = {"num_hidden_layers": 1, "num_attention_heads": 2}
    config = EncoderConfig.from_dict({"model_type": "mpnet", **sizes, **heads})
    assert config.relative_attention_num_buckets == 32
    with pytest.raises(FormatError, match="'roberta'"):
        EncoderConfig.from_dict({"model_type": "roberta", **sizes, **heads})
