"""How near the encoder's matrix products come to the processor's measured peak.

    python benchmarks/products.py

The peak is that of square products in the encoder's number type, the best of several sizes, in the
same run. The encoder's are those of its linear layers on one pass of tokens, as often as each
occurs. `encoder` is a whole pass: attention, normalisation and activation count as time, not as
products. One thread.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from measuring import RESULTS, write_results

from spacy_gladis.modeling import AcroBERT
from spacy_gladis.modeling.precision import has_native_bf16, tokens_per_pass

RESULT = RESULTS / "products.json"
SIZES = (512, 1024, 1536)
ROUNDS = 5


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    cpu = torch.device("cpu")
    kind = torch.bfloat16 if has_native_bf16(cpu) else torch.float32
    model = AcroBERT.load()
    encoder = model.module.bert
    tokens = tokens_per_pass(cpu)
    with torch.inference_mode():
        peak = max(2 * n**3 / best(square(n, kind)) for n in SIZES)
        work = taken = 0.0
        for layer in encoder.encoder.modules():
            if isinstance(layer, torch.nn.Linear):
                of_kind = torch.nn.Linear(layer.in_features, layer.out_features, dtype=kind)
                given = torch.randn(tokens, layer.in_features, dtype=kind)
                work += 2 * tokens * layer.in_features * layer.out_features
                taken += best(lambda product=of_kind, x=given: product(x), 2)
        width = model.settings.window
        ids = torch.from_numpy(np.full((tokens // width, width), model.pieces.cls))
        seen = torch.ones_like(ids, dtype=torch.bool)
        mention = torch.zeros_like(seen)
        with torch.autocast("cpu", torch.bfloat16, enabled=kind == torch.bfloat16):
            whole = best(lambda: model.module(ids, seen, mention), 2)
    write_results(
        options.output,
        {
            "type": str(kind).removeprefix("torch."),
            "tokens": tokens,
            "giga_operations_per_second": {
                "peak": round(peak / 1e9, 1),
                "linear_layers": round(work / taken / 1e9, 1),
                "encoder": round(work / whole / 1e9, 1),
            },
            "share_of_peak": {
                "linear_layers": round(work / taken / peak, 3),
                "encoder": round(work / whole / peak, 3),
            },
            "windows_per_cpu_second": round(len(ids) / whole, 1),
        },
    )


def square(size: int, kind: torch.dtype) -> Callable[[], object]:
    """A product of two square matrices."""
    a, b = torch.randn(size, size).to(kind), torch.randn(size, size).to(kind)
    return lambda: a @ b


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """CPU seconds of the fastest of several calls, after one that warms up."""
    work()
    seconds = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return min(seconds)


if __name__ == "__main__":
    main()
