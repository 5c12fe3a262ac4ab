"""Which number type a device multiplies fastest."""

from functools import cache

import torch


@cache
def has_native_bf16(device: torch.device) -> bool:
    """Whether bf16 matrix products are faster than fp32 ones on this device."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return bool(
        torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported()
    )
