"""The architecture `spacy-gladis.AcroBERT.v1`, which wraps AcroBERT as a thinc model."""

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
"""A thinc model that takes training examples and returns, for each, the logits of its candidates
and of NIL."""

_TOKENIZER_THREADS = "TOKENIZERS_PARALLELISM"

Backprop = Callable[[list[Floats1d]], list[Any]]


def make_acrobert(path: str | None = None) -> AcroBERTModel:
    """Create AcroBERT as a thinc model, whose weights are loaded at first use.

    The input of the model is a list of `TrainingExample` (see `linking/training_examples.py`). Its
    output is an array for each example with the logits of the candidates and, in the last place, of
    NIL, float32 [candidates + 1]. The softmax of these logits gives the probabilities that the
    linker returns.

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

    This is the forward function of the thinc model.

    Args:
        model: The thinc model that wraps AcroBERT.
        questions: The training examples, with the logits before fine-tuning.
        is_train: Whether a backward pass follows.

    Returns:
        For each example, the logits of its candidates and of NIL, float32 [candidates + 1]. The
        second value is the callback for the backward pass, which takes the gradients of these
        logits.
    """
    scores, backprop = model.shims[0](questions, is_train)
    return scores, backprop


class AcroBERTShim(Shim):
    """A thinc shim that holds AcroBERT and saves it as the files of a folder, not as a pickle.

    Training changes only the vectors of the senses that labelled texts name (see
    `linking/sense_vectors.py`).

    Attributes:
        path: Path of a folder with weights, or their name on the Hugging Face hub. None selects the
            packaged weights.
    """

    def __init__(self, path: str | None = None) -> None:
        """Create the shim without loading AcroBERT's weights.

        Args:
            path: Path of a folder with weights, or name of weights on the Hugging Face hub
                (owner/name). None selects the packaged weights.
        """
        super().__init__(None)
        self.path = path
        self._files: dict[str, bytes] | None = None  # deserialized weights that are not loaded yet
        self._origin = "saved weights"  # where `_files` come from, for error messages
        self._loaded: AcroBERT | None = None

    @property
    def acrobert(self) -> "AcroBERT":
        """The AcroBERT model, loaded at first use and moved to thinc's current device."""
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
                    except InputError as error:  # its message names the temporary folder
                        raise FormatError(str(error).replace(folder, self._origin)) from None
            self._loaded.to(device_of_thinc())
        return self._loaded

    def __call__(
        self, questions: "list[TrainingExample]", is_train: bool
    ) -> tuple[list[Floats1d], Backprop]:
        """Compute the logits of the candidates in training examples.

        Args:
            questions: The training examples, with the logits before fine-tuning.
            is_train: Whether a backward pass follows. The senses of correct candidates are then
                added to the senses that are trained.

        Returns:
            For each example, the logits of its candidates and of NIL, float32 [candidates + 1]. The
            second value is the callback for the backward pass, which takes the gradients of these
            logits.
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
        """Update the sense vectors for which gradients have accumulated, and clear the gradients.

        Args:
            optimizer: The thinc optimizer that computes the new vectors.
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

        The previous vectors are restored when the context ends.

        Args:
            params: The new values, by pairs of a model id and a sense's key. Entries of other
                models are ignored.

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
            device_id: Number of the GPU. It has no effect for "cpu".
        """
        if self._loaded is not None:
            self._loaded.to("cpu" if device_type == "cpu" else f"cuda:{device_id}")

    def to_bytes(self) -> bytes:
        """Serialize the files of AcroBERT's weights, including the fine-tuned vectors.

        Returns:
            A mapping from file names to contents, in MessagePack.
        """
        return cast(bytes, srsly.msgpack_dumps(self._pack()))

    def from_bytes(self, data: bytes) -> "AcroBERTShim":
        """Restore the files of AcroBERT's weights, which are loaded at the next use.

        Args:
            data: Serialized files that `to_bytes` returned.

        Returns:
            This shim, so that calls can be chained.
        """
        return self._take(srsly.msgpack_loads(data))

    def to_disk(self, path: str | Path) -> None:
        """Write AcroBERT's weights to a folder.

        The architecture's setting `path` accepts the path of this folder.

        Args:
            path: Path of the folder. It is created if it doesn't exist.
        """
        Path(path).mkdir(parents=True, exist_ok=True)
        _unpack(self._pack(), Path(path))

    def from_disk(self, path: str | Path) -> "AcroBERTShim":
        """Read the files of a folder with AcroBERT's weights, which are loaded at the next use.

        Args:
            path: Path of the folder that `to_disk` wrote, or of any folder with weights.

        Returns:
            This shim, so that calls can be chained.

        Raises:
            InputError: If the folder doesn't exist or its files cannot be read.
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

    For example, `nlp.pipe(n_process=2)` forks. The threads of the tokenizer don't survive a fork,
    and a worker process that waits for them hangs. Worker processes therefore use no threads.
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
    """Return the PyTorch name of the device that thinc uses.

    You can choose this device with `spacy.require_gpu` and similar functions.

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
        raise InputError(f"The AcroBERT weights in {folder} cannot be read: {error}.") from None


def _unpack(files: dict[str, bytes], folder: Path) -> None:
    for name, content in files.items():
        if Path(name).name != name:
            raise FormatError(
                f"The saved AcroBERT weights contain a file outside their folder: '{name}'."
            )
        with writing(folder / name) as temporary:
            temporary.write_bytes(content)
