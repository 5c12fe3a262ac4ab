"""Engines that run an encoder: ONNX Runtime on the CPU, and PyTorch on other devices."""

from ...errors import require
from ..encoder import Encoder
from ..weights import Weights


def make_encoder(weights: Weights, device: str = "cpu") -> Encoder:
    """Create the engine that runs the encoder of a model on a device.

    ONNX Runtime is used on the CPU, and PyTorch on all other devices.

    Args:
        weights: Weights of the model.
        device: Device to run on, as PyTorch names it: ``"cpu"``, ``"cuda"``, ``"cuda:1"`` or
            ``"mps"``.

    Returns:
        An encoder that runs on this device.

    Raises:
        MissingExtraError: If the device is not the CPU and PyTorch is not installed.
    """
    if device == "cpu":
        from .onnx import OnnxEncoder

        return OnnxEncoder(weights)
    require("torch", "gpu")
    from .torch import TorchEncoder

    return TorchEncoder(weights, device)
