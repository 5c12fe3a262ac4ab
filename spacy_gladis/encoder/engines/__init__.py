"""What runs an encoder: onnxruntime on a CPU, torch on anything else."""

from ...errors import require
from ..encoder import Encoder
from ..weights import Weights


def make_encoder(weights: Weights, device: str = "cpu") -> Encoder:
    """The encoder of these weights on a device, as torch names it: "cpu", "cuda", "cuda:1", "mps".

    Raises MissingExtraError where the device is no CPU and torch is not installed.
    """
    if device == "cpu":
        from .onnx import OnnxEncoder

        return OnnxEncoder(weights)
    require("torch", "gpu")
    from .torch import TorchEncoder

    return TorchEncoder(weights, device)
