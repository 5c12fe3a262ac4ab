"""bf16 is for processors that multiply it, not for those that emulate it."""

import platform

import pytest
import torch

from spacy_gladis.research.training.precision import has_native_bf16

CPU = torch.device("cpu")


@pytest.mark.parametrize(
    ("machine", "amx", "avx512_bf16", "native"),
    [
        ("x86_64", True, True, True),
        ("AMD64", False, True, True),
        ("x86_64", False, False, False),
        ("aarch64", False, False, True),
    ],
)
def test_bf16_needs_its_own_instructions(monkeypatch, machine, amx, avx512_bf16, native):
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: True)
    monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: True)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: amx, raising=False)
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: avx512_bf16, raising=False)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    assert has_native_bf16.__wrapped__(CPU) is native
