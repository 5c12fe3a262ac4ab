import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from spacy_gladis.arrays import Floats
from spacy_gladis.encoder.checkpoints import read_torch_file, select_encoder
from spacy_gladis.encoder.engines.torch import Transformer
from spacy_gladis.encoder.weights import GROUP, Weights, pack_int4, unpack_int4
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.linking import AcroBERT
from tests.support.checkpoints import CONFIG

NAMES = ["artificial intelligence", "adequate intake"]


def test_a_round_trip(model: AcroBERT, tmp_path: Path) -> None:
    model.save(tmp_path)
    again = AcroBERT.load(tmp_path)
    assert again.settings == model.settings
    assert again.weights.fingerprint() == model.weights.fingerprint()
    for name, value in model.weights.dequantize().items():
        np.testing.assert_array_equal(again.weights[name], value)


def test_compact_weights_are_close_and_small(model: AcroBERT, tmp_path: Path) -> None:
    model.save(tmp_path / "full")
    model.save(tmp_path / "compact", compact=True)
    full, compact = (
        (tmp_path / name / "model.safetensors").stat().st_size for name in ("full", "compact")
    )
    assert compact < 0.5 * full
    again = AcroBERT.load(tmp_path / "compact")
    again.save(tmp_path / "again", compact=True)
    files = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("compact", "again")]
    assert files[0] == files[1]
    cosine = (again.encode_long_forms(NAMES) * model.encode_long_forms(NAMES)).sum(1)
    assert cosine.min() > 0.999


def test_a_published_checkpoint_is_a_start(tmp_path: Path, model: AcroBERT) -> None:
    encoder = Transformer(CONFIG)
    state = {f"bert.{name}": value for name, value in encoder.state_dict().items()}
    state["bert.embeddings.position_ids"] = torch.arange(512)[None]
    state["cls.seq_relationship.weight"] = torch.zeros(2, CONFIG.hidden_size)
    torch.save(state, tmp_path / "pytorch_model.bin")
    (tmp_path / "config.json").write_text(json.dumps(CONFIG.to_dict()))
    model.pieces.save(tmp_path)
    loaded = AcroBERT.load(tmp_path)
    for name, value in encoder.state_dict().items():
        np.testing.assert_array_equal(loaded.weights[f"bert.{name}"], value.numpy())


def test_old_names_of_the_normalisation_and_the_published_prefix() -> None:
    tensors = select_encoder({"model.bert.embeddings.LayerNorm.gamma": torch.ones(2)})
    assert list(tensors) == ["embeddings.LayerNorm.weight"]


def test_nothing_but_tensors_is_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "evil.pt"
    torch.save({"a": print}, path)
    with pytest.raises(FormatError, match="plain torch tensors"):
        read_torch_file(path)


def test_bad_folders(model: AcroBERT, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        AcroBERT.load(tmp_path / "absent")
    model.save(tmp_path)
    path = tmp_path / "model.safetensors"
    whole = path.read_bytes()
    for size in (0, 7, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(FormatError, match=r"model\.safetensors"):
            AcroBERT.load(tmp_path)
    path.write_bytes(whole)
    config = CONFIG.to_dict() | {"hidden_size": 24}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(FormatError, match=r"do not match config\.json"):
        AcroBERT.load(tmp_path)


@pytest.mark.parametrize(
    ("file", "name", "value"),
    [
        *(("config.json", "hidden_size", value) for value in ("a", None, -1, 7, float("inf"))),
        ("config.json", "num_attention_heads", 0),
        *(("acrobert.json", "calibration", value) for value in (None, {"cosine": "a"}, 3)),
        ("acrobert.json", "one_sense", {"bias": float("nan")}),
        *(("acrobert.json", name, "a") for name in ("window", "precisions")),
    ],
)
def test_settings_that_are_none(
    model: AcroBERT, tmp_path: Path, file: str, name: str, value: object
) -> None:
    model.save(tmp_path)
    settings = json.loads((tmp_path / file).read_text())
    (tmp_path / file).write_text(json.dumps({**settings, name: value}))
    with pytest.raises(FormatError, match=re.escape(file)):
        AcroBERT.load(tmp_path)


@pytest.mark.parametrize(
    "name", ["learnt", "long_forms", "neighbours", "scoring", "senses", "topics"]
)
def test_a_damaged_file_beside_the_network_is_named(
    model: AcroBERT, tmp_path: Path, name: str
) -> None:
    model.save(tmp_path)
    (tmp_path / f"{name}.safetensors").write_bytes(b"no tensors")
    with pytest.raises(FormatError, match=rf"{name}\.safetensors"):
        AcroBERT.load(tmp_path)


def test_another_version_names_both(model: AcroBERT, tmp_path: Path) -> None:
    model.save(tmp_path)
    path = tmp_path / "acrobert.json"
    record = json.loads(path.read_text()) | {"version": 99}
    path.write_text(json.dumps(record))
    with pytest.raises(FormatError, match="version 99"):
        AcroBERT.load(tmp_path)
    path.write_text("no json")
    with pytest.raises(FormatError, match=r"acrobert\.json"):
        AcroBERT.load(tmp_path)


def test_weights_of_16_bits_load_as_32(model: AcroBERT, tmp_path: Path) -> None:
    halved = {name: value.astype(np.float16) for name, value in model.weights.dequantize().items()}
    model.with_weights(Weights(CONFIG, halved)).save(tmp_path)
    again = AcroBERT.load(tmp_path)
    assert {value.dtype for value in again.weights.dequantize().values()} == {np.dtype(np.float32)}
    assert np.isfinite(again.encode_long_forms(NAMES)).all()


def normal(seed: int, *shape: int) -> Floats:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def cosines(first: Floats, other: Floats) -> Floats:
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(other, axis=1)
    return (first * other).sum(1) / lengths


def test_a_matrix_comes_back_nearly_the_same() -> None:
    matrix = normal(0, 50, 2 * GROUP) * np.random.default_rng(1).random((50, 1), np.float32)
    matrix[3] = 0
    packed, scales = pack_int4(matrix)
    assert packed.dtype == np.uint8
    assert (packed.shape, scales.shape) == ((50, GROUP), (50, 2))
    back = unpack_int4(packed, scales)
    others = np.arange(50) != 3
    assert cosines(back[others], matrix[others]).min() > 0.985
    assert np.abs(back[3]).max() < 1e-5
