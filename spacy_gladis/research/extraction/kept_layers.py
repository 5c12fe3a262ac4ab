"""A training callback that freezes lower layers of a transformer, for faster training on a CPU."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from spacy.language import Language


def keep_lower_layers(layers: int) -> "Callable[[Language], Language]":
    """Return a callback for `[initialize.after_init]` that freezes layers of the `transformer`.

    On a CPU with native bf16, fp32 matrix products are also computed in bf16, which is 2.4 times as
    fast.

    Args:
        layers: Number of lower layers to freeze, together with the embeddings. 0 trains everything.

    Returns:
        A callback that takes a pipeline and returns it.
    """

    def keep(nlp: "Language") -> "Language":
        import torch

        from ..training.network import has_native_bf16

        transformer = cast(Any, nlp.get_pipe("transformer")).model.transformer
        kept = (transformer.embeddings, *transformer.encoder.layer[:layers]) if layers else ()
        for module in kept:
            module.requires_grad_(False)
        if transformer.device.type == "cpu" and has_native_bf16(transformer.device):
            torch.set_float32_matmul_precision("medium")
        return nlp

    return keep
