"""When a network is computed in bf16."""

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import torch
from torch import nn

X86 = ("x86_64", "AMD64")


@cache
def has_native_bf16(device: torch.device) -> bool:
    """Whether bf16 matrix products are faster than fp32 ones on this device."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    if not (torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported()):
        return False
    # That is also true of AVX-512 alone, where the products are emulated: a third of fp32's speed.
    instructions = ("_is_amx_tile_supported", "_is_avx512_bf16_supported")
    return platform.machine() not in X86 or any(
        getattr(torch.cpu, name, lambda: True)() for name in instructions
    )


@contextmanager
def inference(module: nn.Module, precision: torch.dtype | None = None) -> Iterator[None]:
    """No gradients, no dropout, and bf16 products where the processor has them.

    precision: torch.float32 or torch.bfloat16 to have it so anywhere.
    """
    device = next(module.parameters()).device
    wanted = precision or (torch.bfloat16 if has_native_bf16(device) else torch.float32)
    module.eval()
    with (
        torch.inference_mode(),
        torch.autocast(device.type, torch.bfloat16, enabled=wanted == torch.bfloat16),
    ):
        yield
