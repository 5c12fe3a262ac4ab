import json
from pathlib import Path

import pytest
import torch

from spacy_gladis.errors import FormatError
from spacy_gladis.modeling.encoder import EncoderConfig
from spacy_gladis.modeling.engines.torch import Transformer
from tests.support.modeling import CONFIG


def test_equals_the_encoder_of_transformers() -> None:
    transformers = pytest.importorskip("transformers")
    theirs = transformers.BertModel(
        transformers.BertConfig(**CONFIG.to_dict(), attention_probs_dropout_prob=0.0),
        add_pooling_layer=False,
    ).eval()
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


def test_another_architecture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"model_type": "roberta"}))
    with pytest.raises(FormatError, match="'roberta'"):
        EncoderConfig.from_file(path)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"model_type": "bert"}'])
def test_settings_that_are_none(tmp_path: Path, content: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(content)
    with pytest.raises(FormatError, match=r"config\.json"):
        EncoderConfig.from_file(path)


def test_settings_survive_a_round_trip() -> None:
    assert EncoderConfig.from_dict(CONFIG.to_dict()) == CONFIG
