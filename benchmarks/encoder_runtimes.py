"""Whether the encoder runs without torch as well: in onnxruntime, or in numpy.

    python benchmarks/encoder_runtimes.py ../shared/corpus

The packaged encoder is written as ONNX and also run as plain matrix products; contexts and long
forms of the corpus are encoded by each, on one thread, and whole documents are linked by each.
onnxruntime, onnx and onnxscript, which no extra brings, are needed.
"""

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from measuring import RESULTS, cpu_seconds, write_results
from numpy.typing import NDArray

RESULT = RESULTS / "encoder_runtimes.json"
LONG_FORMS, DOCUMENTS, CHARACTERS = 128, 10, 2_000
CONTEXTS = 32
TOKENS = 2_048
"""Padded tokens in one pass, as `spacy_gladis.modeling.precision` has it."""

Floats = NDArray[np.float32]
Run = Callable[[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]], tuple[Floats, Floats]]
"""Ids, mask and mention [batch, tokens] to unit vectors and the logits of their domains."""


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--output", type=Path, default=RESULT)
    parser.add_argument("--start", choices=["torch", "onnxruntime"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.start:
        start(options.start, options.corpus)
        return
    import torch
    from annotate import sample_texts

    torch.set_num_threads(1)
    from spacy_gladis.dictionary import Dictionary
    from spacy_gladis.modeling import AcroBERT

    texts = [text[:CHARACTERS] for text in sample_texts(options.corpus, DOCUMENTS)]
    model = AcroBERT.load()
    model.precision = torch.float32
    names = list(islice(Dictionary.open().long_forms, 0, None, 97))[:LONG_FORMS]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "encoder.onnx"
        write_onnx(model, path)
        runs = {"onnxruntime": onnx_run(path), "numpy": numpy_run(model)}
        measured = {"torch": measure(model, texts, names)}
        reference = measured["torch"].pop("kept")
        model.precision = None  # bf16 where the processor multiplies it
        measured["torch_by_default"] = measure(model, texts, names)
        measured["torch_by_default"] |= compare(measured["torch_by_default"].pop("kept"), reference)
        for name, run in runs.items():
            with encoded_by(run):
                measured[name] = measure(model, texts, names)
            measured[name] |= compare(measured[name].pop("kept"), reference)
        measured["onnxruntime"]["encoder_megabytes"] = round(path.stat().st_size / 1e6, 1)
        for name in ("torch", "onnxruntime"):
            measured[name]["start_cpu_seconds"] = started(name, path)
    import onnxruntime

    for name, module in (("torch", torch), ("onnxruntime", onnxruntime)):
        files = Path(str(module.__file__)).parent.rglob("*")
        measured[name]["package_megabytes"] = round(
            sum(one.stat().st_size for one in files if one.is_file()) / 1e6, 1
        )
    write_results(options.output, {"long_forms": len(names), "documents": len(texts), **measured})


def measure(model: Any, texts: list[str], names: list[str]) -> dict[str, Any]:
    """CPU seconds of encoding and of linking, and what came of it."""
    import spacy

    from spacy_gladis.dictionary import Dictionary
    from spacy_gladis.modeling.disambiguator import Disambiguator
    from spacy_gladis.rules import Mention

    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    found = [(doc.text, span) for doc in nlp.pipe(texts) for span in doc.spans["acronyms"]]
    mentions = [
        Mention(text, span.start_char, span.end_char, document=number)
        for number, (text, span) in enumerate(found)
    ][:CONTEXTS]
    kept: dict[str, Any] = {}
    model.encode_long_forms(names[:8])
    forms = cpu_seconds(lambda: kept.update(vectors=model.encode_long_forms(names)))
    contexts = cpu_seconds(lambda: kept.update(contexts=model.encode_contexts(mentions).vectors))
    linker = Disambiguator(model, Dictionary.open())
    linking = cpu_seconds(lambda: kept.update(answers=linker.resolve(mentions)))
    return {
        "long_forms_per_cpu_second": round(len(names) / forms, 1),
        "contexts_per_cpu_second": round(len(mentions) / contexts, 1),
        "mentions_linked_per_cpu_second": round(len(mentions) / linking, 1),
        "kept": kept,
    }


def compare(ours: dict[str, Any], reference: dict[str, Any]) -> dict[str, Any]:
    """How far vectors and probabilities are from the reference's, and how many answers differ."""
    far = [float(np.abs(ours[key] - reference[key]).max()) for key in ("vectors", "contexts")]
    answers = list(zip(ours["answers"], reference["answers"], strict=True))
    apart = [
        abs({c.long_form: p for c, p in one}[c.long_form] - p)
        for one, other in answers
        for c, p in other
    ]
    return {
        "largest_difference_of_a_vector": max(far),
        "largest_difference_of_a_probability": max(map(float, apart)),
        "other_first_answers": sum(
            bool(other) and one[0][0].long_form != other[0][0].long_form for one, other in answers
        ),
    }


def write_onnx(model: Any, path: Path) -> None:
    """The retriever's pass over contexts as ONNX; a long form is a context without a mention."""
    import torch

    class Retriever(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = model.module

        def forward(
            self, ids: torch.Tensor, mask: torch.Tensor, mention: torch.Tensor
        ) -> tuple[torch.Tensor, torch.Tensor]:
            vectors, domains, _ = self.network(ids, mask, mention)
            return vectors, domains

    ids = torch.randint(5, 99, (3, 16))
    mask, mention = torch.ones(3, 16, dtype=torch.bool), torch.zeros(3, 16, dtype=torch.bool)
    mask[1, 9:], mention[:, 3] = False, True
    axes = {name: {0: "batch", 1: "tokens"} for name in ("ids", "mask", "mention")}
    with torch.inference_mode():
        torch.onnx.export(
            Retriever().eval(),
            (ids, mask, mention),
            str(path),
            input_names=list(axes),
            output_names=["vectors", "domains"],
            dynamic_axes=axes | {"vectors": {0: "batch"}, "domains": {0: "batch"}},
            dynamo=False,
        )


def onnx_run(path: Path) -> Run:
    """The encoder in onnxruntime, on one thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def run(ids: Any, mask: Any, mention: Any) -> tuple[Floats, Floats]:
        vectors, domains = session.run(None, {"ids": ids, "mask": mask, "mention": mention})
        return vectors, domains

    return run


def numpy_run(model: Any) -> Run:
    """The encoder in numpy."""
    config = model.module.bert.config
    state = {name: value.numpy() for name, value in model.module.state_dict().items()}
    heads, size = config.num_attention_heads, config.hidden_size // config.num_attention_heads

    def linear(states: Floats, name: str) -> Floats:
        product: Floats = states @ state[f"{name}.weight"].T
        bias = state.get(f"{name}.bias")
        return product if bias is None else product + bias

    def normalise(states: Floats, name: str) -> Floats:
        states = states - states.mean(-1, keepdims=True)
        states /= np.sqrt((states * states).mean(-1, keepdims=True) + config.layer_norm_eps)
        return states * state[f"{name}.weight"] + state[f"{name}.bias"]

    def mean(states: Floats, mask: Any) -> Floats:
        weight = mask[..., None].astype(np.float32)
        averaged: Floats = (states * weight).sum(1) / np.maximum(weight.sum(1), 1)
        return averaged

    def run(ids: Any, mask: Any, mention: Any) -> tuple[Floats, Floats]:
        batch, tokens = ids.shape
        embeddings = "bert.embeddings"
        states = state[f"{embeddings}.word_embeddings.weight"][ids]
        states = states + state[f"{embeddings}.position_embeddings.weight"][:tokens]
        states = states + state[f"{embeddings}.token_type_embeddings.weight"][0]
        states = normalise(states, f"{embeddings}.LayerNorm")
        bias = np.where(mask, 0, -1e4).astype(np.float32)[:, None, None]
        for number in range(config.num_hidden_layers):
            layer = f"bert.encoder.layer.{number}"
            query, key, value = (
                linear(states, f"{layer}.attention.self.{part}")
                .reshape(batch, tokens, heads, size)
                .swapaxes(1, 2)
                for part in ("query", "key", "value")
            )
            scores = (query * np.float32(size**-0.5)) @ key.swapaxes(-1, -2) + bias
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = (scores @ value).swapaxes(1, 2).reshape(batch, tokens, -1)
            output = f"{layer}.attention.output"
            states = normalise(linear(mixed, f"{output}.dense") + states, f"{output}.LayerNorm")
            inner = gelu(linear(states, f"{layer}.intermediate.dense"))
            output = f"{layer}.output"
            states = normalise(linear(inner, f"{output}.dense") + states, f"{output}.LayerNorm")
        pooled = mean(states, mask) + linear(mean(states, mention), "mention")
        return pooled / np.linalg.norm(pooled, axis=-1, keepdims=True), linear(pooled, "domain")

    return run


def gelu(x: Floats) -> Floats:
    """x times the normal distribution at x; the error function by Abramowitz and Stegun, 7.1.26."""
    z = np.abs(x) * np.float32(math.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = (series + np.float32(factor)) * t
    tail = np.float32(0.5) * series * np.exp(-z * z)
    return x * np.where(x < 0, tail, 1 - tail)


@contextmanager
def encoded_by(run: Run) -> Iterator[None]:
    """AcroBERT encodes by another runtime."""
    from spacy_gladis.modeling import acrobert
    from spacy_gladis.modeling.shared_windows import Stretch
    from spacy_gladis.modeling.tokens import LONG_FORM_PIECES, length_buckets, pad

    def forms(self: Any, long_forms: Any, longest: int = LONG_FORM_PIECES) -> Floats:
        pieces = self.pieces.long_forms(long_forms, longest)
        vectors = np.zeros((len(pieces), self.width), np.float32)
        for batch in length_buckets([len(ids) for ids in pieces], TOKENS):
            ids = pad([pieces[i] for i in batch], self.pieces.pad)
            there = np.arange(ids.shape[1]) < np.array([len(pieces[i]) for i in batch])[:, None]
            vectors[batch] = run(ids, there, np.zeros_like(there))[0]
        return vectors

    def contexts(self: Any, asked: Any) -> Any:
        windows = self.pieces.windows(asked, self.settings.window)
        vectors = np.zeros((len(windows), self.width), np.float32)
        domains = np.zeros((len(windows), self.module.domain.out_features), np.float32)
        for batch in length_buckets([len(window.ids) for window in windows], TOKENS):
            read = [Stretch.of(windows[i]) for i in batch]
            inputs = (one.numpy() for one in self.batch(read)[:3])
            vectors[batch], logits = run(*inputs)
            shifted = np.exp(logits - logits.max(-1, keepdims=True))
            domains[batch] = shifted / shifted.sum(-1, keepdims=True)
        return acrobert.Encoded(vectors, domains)

    before = acrobert.AcroBERT.encode_long_forms, acrobert.AcroBERT.encode_contexts
    acrobert.AcroBERT.encode_long_forms = forms  # type: ignore[method-assign]
    acrobert.AcroBERT.encode_contexts = contexts  # type: ignore[method-assign]
    try:
        yield
    finally:
        acrobert.AcroBERT.encode_long_forms, acrobert.AcroBERT.encode_contexts = before  # type: ignore[method-assign]


def started(runtime: str, path: Path) -> float:
    """CPU seconds of a fresh process until the encoder is ready."""
    call = [sys.executable, __file__, str(path), "--start", runtime]
    done = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True)
    return float(json.loads(done.stdout.splitlines()[-1]))


def start(runtime: str, path: Path) -> None:
    """spaCy, tokenizer and encoder; where torch is not meant, it is out of reach, thinc's too."""
    if runtime == "onnxruntime":
        sys.modules["torch"] = None  # type: ignore[assignment]
    from startup import EXTRA, hide

    hide([EXTRA])
    import spacy

    spacy.blank("en")
    if runtime == "torch":
        from spacy_gladis.modeling import AcroBERT

        AcroBERT.load()
    else:
        from tokenizers import Tokenizer

        import spacy_gladis

        folder = Path(str(spacy_gladis.__file__)).parent / "data" / "acrobert"
        Tokenizer.from_file(str(folder / "tokenizer.json"))
        onnx_run(path)
    print(json.dumps(round(sum(os.times()[:2]), 2)))


if __name__ == "__main__":
    main()
