"""The architecture `spacy-gladis.AcroBERT.v1`, which is AcroBERT as a thinc model."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import srsly
from thinc.api import CupyOps, Model, MPSOps, Optimizer, get_current_ops, to_numpy
from thinc.shims.shim import Shim
from thinc.types import Floats1d

from ..errors import FormatError, InputError
from ..files import writing

if TYPE_CHECKING:
    from ..linking.acrobert import AcroBERT
    from ..linking.training_examples import TrainingExample

AcroBERTModel = Model[list[Any], list[Floats1d]]
"""A thinc model from training examples to the logits of their candidates and of NIL."""

_TOKENIZER_THREADS = "TOKENIZERS_PARALLELISM"

Backprop = Callable[[list[Floats1d]], list[Any]]


def make_acrobert(path: str | None = None) -> AcroBERTModel:
    """Create AcroBERT as a thinc model, whose weights are loaded at first use.

    The model's input is a list of `TrainingExample` (`linking/training_examples.py`). Its output
    is, for each example, the logits of the candidates and of NIL, float32 [candidates + 1]. Their
    softmax gives the probabilities that the linker returns.

    Args:
        path: Path of a folder with weights, or name of weights on the Hugging Face hub
            (owner/name). None selects the packaged weights.

    Returns:
        The thinc model.
    """
    return Model("acrobert", forward, shims=[AcroBERTShim(path)])


def forward(
    model: AcroBERTModel, questions: "list[TrainingExample]", is_train: bool
) -> tuple[list[Floats1d], Backprop]:
    """Compute the logits of the candidates in training examples.

    Args:
        model: The model.
        questions: The training examples.
        is_train: Whether a backward pass follows.

    Returns:
        For each example, the logits of its candidates and of NIL, float32 [candidates + 1]. The
        second value is the callback for the backward pass, which takes the gradients of these
        logits.
    """
    scores, backprop = model.shims[0](questions, is_train)
    return scores, backprop


class AcroBERTShim(Shim):
    """A thinc shim for AcroBERT that is saved as the files of its folder, not as a pickle.

    Training changes only the vectors of the senses that labelled texts name
    (`linking/sense_vectors.py`).

    Attributes:
        path: Path or name of the weights. None selects the packaged weights.
    """

    def __init__(self, path: str | None = None) -> None:
        """Wrap AcroBERT without loading its weights.

        Args:
            path: Path of a folder with weights, or name of weights on the Hugging Face hub
                (owner/name). None selects the packaged weights.
        """
        super().__init__(None)
        self.path = path
        self._files: dict[str, bytes] | None = None  # weights that were deserialized
        self._origin = "saved weights"  # names the files' origin in errors
        self._loaded: AcroBERT | None = None

    @property
    def acrobert(self) -> "AcroBERT":
        """AcroBERT, loaded at first use and moved to thinc's current device."""
        if self._loaded is None:
            from ..linking.acrobert import AcroBERT

            prepare_forks()
            if self._files is None:
                self._loaded = AcroBERT.load(self.path)
            else:
                with TemporaryDirectory() as folder:
                    _unpack(self._files, Path(folder))
                    try:
                        self._loaded = AcroBERT.load(folder)
                    except InputError as error:  # it names the temporary folder
                        raise FormatError(str(error).replace(folder, self._origin)) from None
            self._loaded.to(device_of_thinc())
        return self._loaded

    def __call__(
        self, questions: "list[TrainingExample]", is_train: bool
    ) -> tuple[list[Floats1d], Backprop]:
        """Compute the logits of the candidates in training examples.

        Args:
            questions: The training examples.
            is_train: Whether a backward pass follows.

        Returns:
            The logits and the callback for the backward pass, as `forward` returns them.
        """
        sense_vectors = self.acrobert.adapted_senses
        if is_train:
            for question in questions:
                sense_vectors.add(question.right_senses, self.acrobert.width)
        scores = [question.logits.copy() for question in questions]
        for logits, question in zip(scores, questions, strict=True):
            logits[:-1] += sense_vectors.compare(question.senses, question.query)

        def backprop(gradients: list[Floats1d]) -> list[Any]:
            for question, gradient in zip(questions, gradients, strict=True):
                sense_vectors.backward(question.senses, question.query, np.asarray(gradient[:-1]))
            return []

        return cast(list[Floats1d], scores), backprop

    def finish_update(self, optimizer: Optimizer) -> None:
        """Update the sense vectors that have accumulated gradients.

        Args:
            optimizer: The optimizer.
        """
        sense_vectors = self.acrobert.adapted_senses
        ops = get_current_ops()
        for key, gradient in sense_vectors.gradients.items():
            values, _ = optimizer(
                (self.id, str(key)),
                ops.asarray1f(cast(Floats1d, sense_vectors.vectors[key])),
                ops.asarray1f(cast(Floats1d, gradient)),
            )
            sense_vectors.vectors[key] = _on_cpu(values)
        sense_vectors.gradients.clear()

    @contextmanager
    def use_params(self, params: dict[Any, Any]) -> Iterator[None]:
        """Replace sense vectors within a context, for example by an optimizer's averages.

        Args:
            params: The new values by `(model id, key)`. Entries of other models are ignored.

        Yields:
            None.
        """
        replacements = {key: values for (owner, key), values in params.items() if owner == self.id}
        if not replacements:
            yield
            return
        vectors = self.acrobert.adapted_senses.vectors
        backup = dict(vectors)
        vectors.update({int(key): _on_cpu(values) for key, values in replacements.items()})
        try:
            yield
        finally:
            vectors.clear()
            vectors.update(backup)

    def to_device(self, device_type: str, device_id: int) -> None:
        """Move the weights to a device if they are loaded.

        Weights that are loaded later go to thinc's current device.

        Args:
            device_type: "cpu" or "gpu".
            device_id: The number of the GPU.
        """
        if self._loaded is not None:
            self._loaded.to("cpu" if device_type == "cpu" else f"cuda:{device_id}")

    def to_bytes(self) -> bytes:
        """Serialize the weights' files and the trained vectors.

        Returns:
            The files in MessagePack.
        """
        return cast(bytes, srsly.msgpack_dumps(self._pack()))

    def from_bytes(self, data: bytes) -> "AcroBERTShim":
        """Restore serialized weights, which are loaded at the next use.

        Args:
            data: The result of `to_bytes`.

        Returns:
            The shim itself.
        """
        return self._take(srsly.msgpack_loads(data))

    def to_disk(self, path: str | Path) -> None:
        """Write the weights to a folder, whose path the architecture's setting `path` accepts.

        Args:
            path: Path of the folder. It is created if necessary.
        """
        Path(path).mkdir(parents=True, exist_ok=True)
        _unpack(self._pack(), Path(path))

    def from_disk(self, path: str | Path) -> "AcroBERTShim":
        """Read the files of a folder of weights, which are loaded at the next use.

        Args:
            path: Path of the folder.

        Returns:
            The shim itself.

        Raises:
            InputError: If the files cannot be read.
        """
        self._origin = str(path)
        return self._take(_pack(Path(path)))

    def _take(self, files: dict[str, bytes]) -> "AcroBERTShim":
        self._files, self._loaded = files, None
        return self

    def _pack(self) -> dict[str, bytes]:
        from ..linking.model_folder import find_weights

        files = self._files if self._files is not None else _pack(find_weights(self.path))
        if self._loaded is None or not len(self._loaded.adapted_senses):
            return files
        with TemporaryDirectory() as folder:
            self._loaded.adapted_senses.save(Path(folder))
            return {**files, **_pack(Path(folder))}


@cache
def prepare_forks() -> None:
    """Make it safe to fork this process after the tokenizer has run.

    `nlp.pipe(n_process=2)` forks, for example.

    The tokenizer's threads don't survive a fork, and a worker that waits for them hangs. Workers
    therefore use no threads.
    """

    def before() -> None:
        os.environ.setdefault(_TOKENIZER_THREADS, "false")

    def after_in_parent() -> None:
        if is_unset:
            os.environ.pop(_TOKENIZER_THREADS, None)

    is_unset = _TOKENIZER_THREADS not in os.environ
    if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
        os.register_at_fork(before=before, after_in_parent=after_in_parent)


def device_of_thinc() -> str:
    """Return the PyTorch name of the device that thinc uses (`spacy.require_gpu`).

    Returns:
        "cpu", "cuda" or "mps".
    """
    ops = get_current_ops()
    if isinstance(ops, CupyOps):
        return "cuda"  # thinc and PyTorch share the current CUDA device
    return "mps" if isinstance(ops, MPSOps) else "cpu"


def _on_cpu(values: Any) -> Any:
    return to_numpy(values)  # type: ignore[no-untyped-call]


def _pack(folder: Path) -> dict[str, bytes]:
    try:
        files = sorted(file for file in folder.iterdir() if file.is_file())
        return {file.name: file.read_bytes() for file in files}
    except OSError as error:
        raise InputError(f"The AcroBERT weights in {folder} cannot be read: {error}") from None


def _unpack(files: dict[str, bytes], folder: Path) -> None:
    for name, content in files.items():
        if Path(name).name != name:
            raise FormatError(f"Saved AcroBERT weights hold a file '{name}' outside their folder.")
        with writing(folder / name) as temporary:
            temporary.write_bytes(content)
