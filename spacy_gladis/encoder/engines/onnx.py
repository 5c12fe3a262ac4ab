"""The encoder by onnxruntime: ready in a tenth of a second, without torch.

The graph is made of the weights at its first use, so that one file holds them for both engines, and
takes them as inputs: as constants they would be copied twice, and each process of several would
have its own. Embeddings are looked up here: a row of 4-bit numbers is made whole as it is read.
"""

import multiprocessing
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...arrays import Flags, Floats, Ints
from ..encoder import ALONE, HIDDEN, buckets, places, visible
from ..weights import DISTANCES, PLACES, SEGMENTS, WORDS, Weights
from .onnx_graph import Graph

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, OrtValue

_PARTS = ("weight", "bias")
_FROM_BEFORE_A_FORK: list[Any] = []


class OnnxEncoder:
    """An encoder on a CPU, in 32 bits; see `Encoder`. Nothing is made before its first use.

    A process that forked makes a session of its own, since threads do not survive a fork; the
    weights are shared.
    """

    device = "cpu"
    tokens_per_pass = 2048

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._process = os.getpid()
        self._session: InferenceSession | None = None
        self._arrays: dict[str, OrtValue] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return OnnxEncoder, (self.weights,)  # a session cannot be pickled, and is made anew

    def encode(self, token_ids: Ints, mask: Flags, segments: Ints) -> Floats:
        """See `Encoder.encode`."""
        at = places(segments)
        session = self._open()
        inputs = {"embedded": self._embedded(token_ids, at), "bias": self._bias(mask, segments, at)}
        [states] = session.run_with_ort_values(None, shared(inputs) | self._arrays)
        found: Floats = states.numpy()
        return found

    def _embedded(self, token_ids: Ints, at: Ints) -> Floats:
        """The sum of each token's embeddings, [rows, tokens, hidden]."""
        summed = self.weights.rows(WORDS, token_ids)
        summed += self.weights.rows(PLACES, at + self.weights.config.first_position)
        summed += self.weights.rows(SEGMENTS, np.array(ALONE))
        return summed

    def _bias(self, mask: Flags, segments: Ints, at: Ints) -> Floats:
        """What is added to the scores of attention, [rows, 1 or heads, tokens, tokens]."""
        seen = visible(mask, segments)[:, None]
        bias = np.where(seen, np.float32(0), np.float32(HIDDEN))
        if count := self.weights.config.relative_attention_num_buckets:
            apart = at[:, None, :] - at[:, :, None]
            bias = bias + self.weights[DISTANCES][buckets(apart, count)].transpose(0, 3, 1, 2)
        return bias

    def _open(self) -> "InferenceSession":
        count = threads()
        if self._process != os.getpid():
            # To delete a session is to wait for its threads, which were left in the other process.
            _FROM_BEFORE_A_FORK.append(self._session)
            self._process, self._session, count = os.getpid(), None, 1
        if self._session is None:
            graph, arrays = layers_of(self.weights)
            self._arrays = self._arrays or shared(arrays)
            self._session = make_session(graph, count)
        return self._session


def threads() -> int:
    """How many a process takes: one where it is a worker beside others, else one a core.

    `OMP_NUM_THREADS` says otherwise, as it does to numpy and torch.
    """
    if multiprocessing.parent_process() is not None:
        return 1
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    if wanted.isdecimal() and int(wanted):
        return int(wanted)
    here = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    return len(here(0)) if here else os.cpu_count() or 1


def make_session(graph: bytes, threads: int) -> "InferenceSession":
    """A session of a graph, whose threads do not spin while they wait."""
    from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # There are no constants to fold, and what else it does makes nothing faster here.
    options.graph_optimization_level = GraphOptimizationLevel.ORT_DISABLE_ALL
    return InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def shared(arrays: Mapping[str, Floats]) -> "dict[str, OrtValue]":
    """Arrays as onnxruntime takes them, in the same memory."""
    from onnxruntime import OrtValue

    return {name: OrtValue.ortvalue_from_numpy(array) for name, array in arrays.items()}


def layers_of(weights: Weights) -> tuple[bytes, dict[str, Floats]]:
    """A model of all that follows the sum of a token's embeddings, and the arrays it takes.

    Its other inputs: `embedded`, float32 [rows, tokens, width], and `bias`, what is added to the
    scores of attention, float32 [rows, 1 or heads, tokens, tokens].
    """
    config = weights.config
    width, heads = config.hidden_size, config.num_attention_heads
    graph = Graph()

    def dense(states: str, name: str, parts: Sequence[str] = ("",)) -> str:
        matrix = np.concatenate([weights[f"{name}{part}.weight"] for part in parts])
        offset = np.concatenate([weights[f"{name}{part}.bias"] for part in parts])
        product = graph("MatMul", states, graph.array(f"{name}.weight", matrix.T))
        return graph("Add", product, graph.array(f"{name}.bias", offset))

    def normalised(states: str, name: str) -> str:
        parts = [graph.array(f"{name}.{part}", weights[f"{name}.{part}"]) for part in _PARTS]
        return graph("LayerNormalization", states, *parts, epsilon=config.layer_norm_eps)

    def attention(states: str, name: str) -> str:
        projected = dense(states, name, (".query", ".key", ".value"))
        by_head = graph.shape(0, 0, heads, width // heads)
        query, key, value = (
            graph("Transpose", graph("Reshape", part, by_head), perm=order)
            for part, order in zip(
                graph.several("Split", 3, projected, axis=-1, num_outputs=3),
                ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]),
                strict=True,
            )
        )
        scores = graph("MatMul", graph("Mul", query, shrink), key)
        seen = graph("Softmax", graph("Add", scores, "bias"), axis=-1)
        mixed = graph("Transpose", graph("MatMul", seen, value), perm=[0, 2, 1, 3])
        return graph("Reshape", mixed, graph.shape(0, 0, width))

    shrink = graph.array("shrink", np.array((width // heads) ** -0.5, np.float32))
    states = normalised("embedded", "bert.embeddings.LayerNorm")
    for layer in range(config.num_hidden_layers):
        name = f"bert.encoder.layer.{layer}"
        mixed = dense(attention(states, f"{name}.attention.self"), f"{name}.attention.output.dense")
        states = normalised(graph("Add", mixed, states), f"{name}.attention.output.LayerNorm")
        inner = graph("Gelu", dense(states, f"{name}.intermediate.dense"))
        outer = dense(inner, f"{name}.output.dense")
        states = normalised(graph("Add", outer, states), f"{name}.output.LayerNorm")
    inputs: dict[str, list[int | str]] = {
        "embedded": ["rows", "tokens", width],
        "bias": ["rows", "kinds", "tokens", "tokens"],
    }
    return graph.model(inputs, states), graph.arrays
