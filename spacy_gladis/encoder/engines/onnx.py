"""The engine that runs an encoder on the CPU with ONNX Runtime.

It loads in a tenth of a second and doesn't need PyTorch. The ONNX graph is built from the weights
when the encoder is first used, so both engines read the same file of weights. The graph takes the
weights as inputs. If they were constants of the graph, they would be copied twice, and processes
could not share them. The embeddings are looked up outside the graph, because they are stored as
4-bit integers.
"""

import multiprocessing
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...arrays import Flags, Floats, Ints
from ..encoder import (
    FIRST_SEGMENT,
    MASKED_SCORE,
    attention_mask,
    count_positions,
    distance_buckets,
)
from ..weights import DISTANCES, POSITIONS, SEGMENTS, WORDS, Weights
from .onnx_graph import Graph

if TYPE_CHECKING:
    from onnxruntime import InferenceSession, OrtValue

_PARTS = ("weight", "bias")
_SESSIONS_BEFORE_FORK: list[Any] = []


class OnnxEncoder:
    """An engine that runs an encoder on the CPU with ONNX Runtime, in float32.

    It implements the protocol `Encoder`. The ONNX session is created when the first text is
    encoded. A forked process creates its own session, because threads don't survive a fork, but
    shares the weights with its parent process.

    Attributes:
        weights: Weights of the model.
        device: Always ``"cpu"``.
        tokens_per_pass: Recommended number of tokens in one call of `encode`, including padding.
    """

    device = "cpu"
    tokens_per_pass = 2048

    def __init__(self, weights: Weights) -> None:
        """Create an encoder. Its ONNX session is created when the first text is encoded.

        Args:
            weights: Weights of the model.
        """
        self.weights = weights
        self._process = os.getpid()
        self._session: InferenceSession | None = None
        self._arrays: dict[str, OrtValue] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the weights, from which the encoder is created again."""
        return OnnxEncoder, (self.weights,)  # a session can't be pickled

    def encode(self, token_ids: Ints, mask: Flags, segments: Ints) -> Floats:
        """Compute the hidden states of a batch of tokens, as `Encoder.encode` describes.

        Args:
            token_ids: Vocabulary ids of the tokens, shape (rows, tokens).
            mask: True for tokens and False for padding, shape (rows, tokens).
            segments: Number of the text that each token belongs to, shape (rows, tokens).

        Returns:
            The states of the last layer, float32 of shape (rows, tokens, hidden size).
        """
        positions = count_positions(segments)
        session = self._open()
        inputs = {
            "embedded": self._embed(token_ids, positions),
            "bias": self._attention_bias(mask, segments, positions),
        }
        [output] = session.run_with_ort_values(None, to_ort_values(inputs) | self._arrays)
        states: Floats = output.numpy()
        return states

    def _embed(self, token_ids: Ints, positions: Ints) -> Floats:
        """Return the sum of each token's embeddings, shape (rows, tokens, hidden size)."""
        summed = self.weights.rows(WORDS, token_ids)
        summed += self.weights.rows(POSITIONS, positions + self.weights.config.first_position)
        summed += self.weights.rows(SEGMENTS, np.array(FIRST_SEGMENT))
        return summed

    def _attention_bias(self, mask: Flags, segments: Ints, positions: Ints) -> Floats:
        """Return the bias of the attention scores, shape (rows, 1 or heads, tokens, tokens)."""
        can_attend = attention_mask(mask, segments)[:, None]
        bias = np.where(can_attend, np.float32(0), np.float32(MASKED_SCORE))
        if count := self.weights.config.relative_attention_num_buckets:
            distances = positions[:, None, :] - positions[:, :, None]
            by_distance = self.weights[DISTANCES][distance_buckets(distances, count)]
            bias = bias + by_distance.transpose(0, 3, 1, 2)
        return bias

    def _open(self) -> "InferenceSession":
        threads = count_threads()
        if self._process != os.getpid():
            # Deleting a session waits for its threads, which only exist in the parent process.
            _SESSIONS_BEFORE_FORK.append(self._session)
            self._process, self._session, threads = os.getpid(), None, 1
        if self._session is None:
            graph, arrays = build_graph(self.weights)
            self._arrays = self._arrays or to_ort_values(arrays)
            self._session = make_session(graph, threads)
        return self._session


def count_threads() -> int:
    """Return the number of threads that the ONNX engine uses.

    Set the environment variable ``OMP_NUM_THREADS`` to change it, as for numpy and PyTorch.

    Returns:
        1 in a child process of `multiprocessing`. In other processes, the value of
        ``OMP_NUM_THREADS``, or the number of available cores if the variable is not set.
    """
    if multiprocessing.parent_process() is not None:
        return 1
    setting = os.environ.get("OMP_NUM_THREADS", "")
    if setting.isdecimal() and int(setting):
        return int(setting)
    get_affinity = getattr(os, "sched_getaffinity", None)  # missing on macOS and Windows
    return len(get_affinity(0)) if get_affinity else os.cpu_count() or 1


def make_session(graph: bytes, threads: int) -> "InferenceSession":
    """Create an ONNX session that runs a model. Its threads don't use the CPU while they wait.

    Args:
        graph: A serialized ONNX model.
        threads: Number of threads for each operator.

    Returns:
        The session.
    """
    from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # There are no constants to fold, and other optimizations don't make this graph faster.
    options.graph_optimization_level = GraphOptimizationLevel.ORT_DISABLE_ALL
    return InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def to_ort_values(arrays: Mapping[str, Floats]) -> "dict[str, OrtValue]":
    """Wrap numpy arrays for ONNX Runtime without copying them.

    Args:
        arrays: A mapping from the names of a session's inputs to arrays.

    Returns:
        A mapping from the same names to values that an ONNX session accepts.
    """
    from onnxruntime import OrtValue

    return {name: OrtValue.ortvalue_from_numpy(array) for name, array in arrays.items()}


def build_graph(weights: Weights) -> tuple[bytes, dict[str, Floats]]:
    """Build the ONNX model of an encoder, starting with the layer normalization of the embeddings.

    Besides the weights, the model has two inputs. ``embedded`` is the sum of each token's
    embeddings, float32 of shape (rows, tokens, hidden size). ``bias`` is added to the attention
    scores, float32 of shape (rows, 1 or heads, tokens, tokens).

    Args:
        weights: Weights of the model.

    Returns:
        A pair of the serialized ONNX model, and a mapping from names to the arrays of weights that
        it takes as inputs.
    """
    config = weights.config
    width, heads = config.hidden_size, config.num_attention_heads
    graph = Graph()

    def dense(states: str, name: str, parts: Sequence[str] = ("",)) -> str:
        matrix = np.concatenate([weights[f"{name}{part}.weight"] for part in parts])
        offset = np.concatenate([weights[f"{name}{part}.bias"] for part in parts])
        product = graph("MatMul", states, graph.array(f"{name}.weight", matrix.T))
        return graph("Add", product, graph.array(f"{name}.bias", offset))

    def normalize(states: str, name: str) -> str:
        parts = [graph.array(f"{name}.{part}", weights[f"{name}.{part}"]) for part in _PARTS]
        return graph("LayerNormalization", states, *parts, epsilon=config.layer_norm_eps)

    def attend(states: str, name: str) -> str:
        projected = dense(states, name, (".query", ".key", ".value"))
        split_heads = graph.shape(0, 0, heads, width // heads)
        query, key, value = (
            graph("Transpose", graph("Reshape", part, split_heads), perm=order)
            for part, order in zip(
                graph.add("Split", 3, projected, axis=-1, num_outputs=3),
                ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]),
                strict=True,
            )
        )
        scores = graph("MatMul", graph("Mul", query, scale), key)
        probabilities = graph("Softmax", graph("Add", scores, "bias"), axis=-1)
        mixed = graph("Transpose", graph("MatMul", probabilities, value), perm=[0, 2, 1, 3])
        return graph("Reshape", mixed, graph.shape(0, 0, width))

    scale = graph.array("scale", np.array((width // heads) ** -0.5, np.float32))
    states = normalize("embedded", "bert.embeddings.LayerNorm")
    for layer in range(config.num_hidden_layers):
        name = f"bert.encoder.layer.{layer}"
        mixed = dense(attend(states, f"{name}.attention.self"), f"{name}.attention.output.dense")
        states = normalize(graph("Add", mixed, states), f"{name}.attention.output.LayerNorm")
        inner = graph("Gelu", dense(states, f"{name}.intermediate.dense"))
        outer = dense(inner, f"{name}.output.dense")
        states = normalize(graph("Add", outer, states), f"{name}.output.LayerNorm")
    inputs: dict[str, list[int | str]] = {
        "embedded": ["rows", "tokens", width],
        "bias": ["rows", "heads", "tokens", "tokens"],
    }
    return graph.model(inputs, states), graph.arrays
