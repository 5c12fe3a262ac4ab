"""A transformer whose lower layers are not trained."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from spacy_gladis.research.extraction.kept_layers import keep_lower_layers
from spacy_gladis.research.training.precision import has_native_bf16


@pytest.mark.parametrize(("layers", "learning"), [(2, 1), (1, 2), (0, 4)])
def test_token_vectors_and_lower_layers_stay(
    layers: int, learning: int, fp32_products: None
) -> None:
    transformer: Any = torch.nn.Module()
    transformer.device = torch.device("cpu")
    transformer.embeddings = torch.nn.Embedding(4, 2)
    transformer.encoder = torch.nn.Module()
    transformer.encoder.layer = torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(3))
    pipe = SimpleNamespace(model=SimpleNamespace(transformer=transformer))
    nlp: Any = SimpleNamespace(get_pipe={"transformer": pipe}.__getitem__)
    assert keep_lower_layers(layers)(nlp) is nlp
    parts = [transformer.embeddings, *transformer.encoder.layer]
    learns = [all(one.requires_grad for one in part.parameters()) for part in parts]
    assert learns == [False] * (4 - learning) + [True] * learning
    fast = torch.get_float32_matmul_precision() == "medium"
    assert fast == has_native_bf16(transformer.device)
