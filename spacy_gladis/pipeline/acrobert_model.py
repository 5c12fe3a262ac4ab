"""The architecture `spacy-gladis.AcroBERT.v1`: AcroBERT as a thinc model, loaded at first use."""

import os
import re
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
"""From questions to the logits of their alternatives."""

_TOKENIZER_THREADS = "TOKENIZERS_PARALLELISM"
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")

Backprop = Callable[[list[Floats1d]], list[Any]]


def make_acrobert(path: str | None = None) -> AcroBERTModel:
    """Make the model; nothing is read before its first use.

    path: a folder of weights, a name on the Hugging Face hub, or None for the packaged weights.
    Input: `TrainingExample`s (`linking/training_examples.py`). Output: for each, the logits of its
    candidates and of NIL, float32 [candidates + 1]; a softmax over them makes the probabilities
    served.
    """
    return Model("acrobert", forward, shims=[AcroBERTShim(path)])


def forward(
    model: AcroBERTModel, questions: "list[TrainingExample]", is_train: bool
) -> tuple[list[Floats1d], Backprop]:
    """Score the questions; the backprop callback takes the gradients of the scores."""
    scores, backprop = model.shims[0](questions, is_train)
    return scores, backprop


class AcroBERTShim(Shim):
    """Holds AcroBERT for thinc. Weights travel as the files of their folder, never pickled.

    Trained are the vectors of the senses that labelled texts name (`linking/sense_vectors.py`).
    """

    def __init__(self, path: str | None = None) -> None:
        super().__init__(None)
        self.path = path
        self._files: dict[str, bytes] | None = None  # the weights, where they came without a path
        self._origin = "saved weights"  # where those files were, to be told of one that is damaged
        self._loaded: AcroBERT | None = None

    @property
    def acrobert(self) -> "AcroBERT":
        """AcroBERT itself, read at the first use, on the device that thinc was told to use."""
        if self._loaded is None:
            from ..linking.acrobert import AcroBERT

            prepare_forks()
            if self._files is None:
                self._loaded = AcroBERT.load(find_weights(self.path))
            else:
                with TemporaryDirectory() as folder:
                    _unpack(self._files, Path(folder))
                    try:
                        self._loaded = AcroBERT.load(folder)
                    except InputError as error:  # of a folder that nobody knows
                        raise FormatError(str(error).replace(folder, self._origin)) from None
            self._loaded.to(device_of_thinc())
        return self._loaded

    def __call__(
        self, questions: "list[TrainingExample]", is_train: bool
    ) -> tuple[list[Floats1d], Backprop]:
        learnt = self.acrobert.adapted_senses
        if is_train:
            for one in questions:
                learnt.add(one.right_senses, self.acrobert.width)
        scores = [one.logits.copy() for one in questions]
        for logits, one in zip(scores, questions, strict=True):
            logits[:-1] += learnt.compare(one.senses, one.query)

        def backprop(gradients: list[Floats1d]) -> list[Any]:
            for one, gradient in zip(questions, gradients, strict=True):
                learnt.backward(one.senses, one.query, np.asarray(gradient[:-1]))
            return []

        return cast(list[Floats1d], scores), backprop

    def finish_update(self, optimizer: Optimizer) -> None:
        """Let a thinc optimizer change the vectors that have gradients."""
        learnt = self.acrobert.adapted_senses
        ops = get_current_ops()
        for key, gradient in learnt.gradients.items():
            values, _ = optimizer(
                (self.id, str(key)),
                ops.asarray1f(cast(Floats1d, learnt.vectors[key])),
                ops.asarray1f(cast(Floats1d, gradient)),
            )
            learnt.vectors[key] = _on_cpu(values)
        learnt.gradients.clear()

    @contextmanager
    def use_params(self, params: dict[Any, Any]) -> Iterator[None]:
        """Put other values, such as an optimizer's averages, in place for a while."""
        mine = {key: values for (owner, key), values in params.items() if owner == self.id}
        if not mine:
            yield
            return
        vectors = self.acrobert.adapted_senses.vectors
        backup = dict(vectors)
        vectors.update({int(key): _on_cpu(values) for key, values in mine.items()})
        try:
            yield
        finally:
            vectors.clear()
            vectors.update(backup)

    def to_device(self, device_type: str, device_id: int) -> None:
        """Move the weights, if they are loaded; otherwise they go where thinc's device is."""
        if self._loaded is not None:
            self._loaded.to("cpu" if device_type == "cpu" else f"cuda:{device_id}")

    def to_bytes(self) -> bytes:
        """The weights' files as they came, and what was learnt since."""
        return cast(bytes, srsly.msgpack_dumps(self._pack()))

    def from_bytes(self, data: bytes) -> "AcroBERTShim":
        """Take the files that `to_bytes` gave; they are loaded at the next use."""
        return self._take(srsly.msgpack_loads(data))

    def to_disk(self, path: str | Path) -> None:
        """Write the weights as a folder that the architecture's `path` takes."""
        Path(path).mkdir(parents=True, exist_ok=True)
        _unpack(self._pack(), Path(path))

    def from_disk(self, path: str | Path) -> "AcroBERTShim":
        """Read the files of a folder; they are loaded at the next use."""
        self._origin = str(path)
        return self._take(_pack(Path(path)))

    def _take(self, files: dict[str, bytes]) -> "AcroBERTShim":
        self._files, self._loaded = files, None
        return self

    def _pack(self) -> dict[str, bytes]:
        files = self._files if self._files is not None else _pack(find_weights(self.path))
        if self._loaded is None or not len(self._loaded.adapted_senses):
            return files
        with TemporaryDirectory() as folder:
            self._loaded.adapted_senses.save(Path(folder))
            return {**files, **_pack(Path(folder))}


@cache
def prepare_forks() -> None:
    """Let this process fork after the tokenizer ran, as `nlp.pipe(n_process=2)` does.

    Its threads do not survive a fork; a worker that waits for them hangs. So workers use none.
    """

    def before() -> None:
        os.environ.setdefault(_TOKENIZER_THREADS, "false")

    def after_in_parent() -> None:
        if own:
            os.environ.pop(_TOKENIZER_THREADS, None)

    own = _TOKENIZER_THREADS not in os.environ
    if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
        os.register_at_fork(before=before, after_in_parent=after_in_parent)


def device_of_thinc() -> str:
    """The device that thinc was told to use (`spacy.require_gpu`), as torch names it."""
    ops = get_current_ops()
    if isinstance(ops, CupyOps):
        return "cuda"  # that of thinc, which is torch's own, too
    return "mps" if isinstance(ops, MPSOps) else "cpu"


def find_weights(path: str | None) -> Path:
    """The folder of the weights: the packaged one, a local one, or one from the hub.

    Raises InputError when there is no such folder and the hub has, or gives, none of this name.
    """
    if path is None:
        from ..linking.acrobert import PACKAGED

        return PACKAGED
    folder = Path(path)
    if folder.is_dir():
        return folder
    if folder.exists() or not _HUB_NAME.fullmatch(path):
        raise InputError(
            f"There is no folder of AcroBERT weights at '{path}'. Give a folder with config.json, "
            "model.safetensors and a tokenizer, a name on the Hugging Face hub (owner/name), or "
            "nothing for the packaged weights."
        )
    from ..encoder.checkpoints import download_checkpoint

    return download_checkpoint(path)


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
