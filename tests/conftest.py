"""A tiny AcroBERT with random weights, a small dictionary, and the benchmark data."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.paths import SHARED

if "PYTEST_XDIST_WORKER" in os.environ:
    # Workers share the cores: torch's threads would wait for one another, and burn time doing so.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Move the tests marked `longest` to the beginning."""
    items.sort(key=lambda item: item.get_closest_marker("longest") is None)


ENTRIES = {
    "AI": [["artificial intelligence", 120], ["adequate intake", 30], ["aromatase inhibitor", 12]],
    "CT": [["computed tomography", 50], ["Connecticut", 9]],
    "mRNA": [["messenger RNA", 44]],
    "NASA": [["National Aeronautics and Space Administration", 99]],
}
WORDS = (
    "the a of for is in to and model learns from data potassium diet grams daily intake adequate "
    "artificial intelligence aromatase inhibitor computed tomography connecticut messenger rna "
    "ai ct mrna scan state patient ( ) . ,"
)


@pytest.fixture(scope="session")
def tiny_weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of weights that `AcroBERT.load` reads."""
    import torch

    from spacy_gladis.encoder.encoder import EncoderConfig
    from spacy_gladis.linking.acrobert import AcroBERT, Settings
    from spacy_gladis.research.training.network import AcroNetwork
    from tests.support.checkpoints import make_pieces

    folder = tmp_path_factory.mktemp("weights")
    pieces = make_pieces(WORDS)
    torch.manual_seed(0)
    config = EncoderConfig(pieces.tokenizer.get_vocab_size(), 32, 2, 2, 64, hidden_dropout_prob=0.0)
    AcroBERT(AcroNetwork(config).weights(), pieces, Settings()).save(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_dictionary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dictionary file with ENTRIES."""
    from spacy_gladis.dictionary import import_dictionary

    folder = tmp_path_factory.mktemp("dictionary")
    (folder / "entries.json").write_text(json.dumps(ENTRIES), "utf8")
    import_dictionary(folder / "entries.json", folder / "entries.sqlite")
    return folder / "entries.sqlite"


@pytest.fixture
def fp32_products() -> Iterator[None]:
    """Whatever a test makes of products of fp32 layers, others compute as before."""
    import torch

    before = torch.get_float32_matmul_precision()
    yield
    torch.set_float32_matmul_precision(before)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the benchmark data, beside the repository."""
    if not SHARED.is_dir():
        pytest.skip(f"there is no benchmark data at {SHARED}")
    return SHARED
