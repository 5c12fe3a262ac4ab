"""A transformer whose lower layers are not trained."""

from types import SimpleNamespace
from typing import Any

import torch

from spacy_gladis.modeling.precision import has_native_bf16
from spacy_gladis.research.extraction.kept_layers import keep_lower_layers


def test_token_vectors_and_lower_layers_stay(fp32_products: None) -> None:
    transformer: Any = torch.nn.Module()
    transformer.device = torch.device("cpu")
    transformer.embeddings = torch.nn.Embedding(4, 2)
    transformer.encoder = torch.nn.Module()
    transformer.encoder.layer = torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(3))
    pipe = SimpleNamespace(model=SimpleNamespace(transformer=transformer))
    nlp: Any = SimpleNamespace(get_pipe={"transformer": pipe}.__getitem__)
    assert keep_lower_layers(2)(nlp) is nlp
    learning = [name for name, one in transformer.named_parameters() if one.requires_grad]
    assert learning == ["encoder.layer.2.weight", "encoder.layer.2.bias"]
    fast = torch.get_float32_matmul_precision() == "medium"
    assert fast == has_native_bf16(transformer.device)
