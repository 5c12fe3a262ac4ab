"""The architecture `spacy-gladis.AcroBERT.v1`: AcroBERT as a thinc model, loaded at first use."""

import multiprocessing
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

import srsly
from thinc.api import Model, Optimizer, get_torch_default_device, torch2xp, xp2torch
from thinc.shims.shim import Shim
from thinc.types import Floats1d, FloatsXd

from ..concepts import Inventory
from ..dictionary import Dictionary
from ..errors import FormatError, InputError
from ..files import writing
from .questions import Question

if TYPE_CHECKING:
    from ..modeling.acrobert import AcroBERT
    from ..modeling.concepts.ranker import ConceptRanker
    from ..modeling.disambiguator import Disambiguator

PACKAGED = Path(__file__).parents[1] / "data" / "acrobert"
_TOKENIZER_THREADS = "TOKENIZERS_PARALLELISM"
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")

Backprop = Callable[[list[Floats1d]], list[Any]]


def make_acrobert(path: str | None = None) -> Model[list[Question], list[Floats1d]]:
    """Make the model; nothing is read before its first use.

    path: a folder of weights, a name on the Hugging Face hub, or None for the packaged weights.
    Input: questions. Output: for each, the scores of its long forms, float32 [long forms]; a
    softmax over them makes probabilities.
    """
    return Model(
        "acrobert",
        forward,
        shims=[AcroBERTShim(path)],
        attrs={
            "make_disambiguator": make_disambiguator,
            "make_concept_ranker": make_concept_ranker,
        },
    )


def forward(
    model: Model[list[Question], list[Floats1d]], questions: list[Question], is_train: bool
) -> tuple[list[Floats1d], Backprop]:
    """Score the questions; the backprop callback takes the gradients of the scores."""
    scores, backprop = model.shims[0](questions, is_train)
    return scores, backprop


def make_disambiguator(
    model: Model[list[Question], list[Floats1d]],
    dictionary: Dictionary,
    **settings: Any,
) -> "Disambiguator":
    """The disambiguator over a model's weights; settings: as `modeling.Disambiguator` has them."""
    from ..modeling.disambiguator import Disambiguator

    shim = model.shims[0]
    assert isinstance(shim, AcroBERTShim)
    return Disambiguator(shim.acrobert, dictionary, **settings)


def make_concept_ranker(
    model: Model[list[Question], list[Floats1d]], inventory: Inventory
) -> "ConceptRanker":
    """What ranks an inventory's concepts by a model's weights; no phrase was linked before."""
    from ..modeling.concepts.evidence import EvidenceFinder
    from ..modeling.concepts.memory import LinkedNames
    from ..modeling.concepts.ranker import ConceptRanker
    from ..modeling.concepts.vectors import NameVectors

    shim = model.shims[0]
    assert isinstance(shim, AcroBERTShim)
    return ConceptRanker(EvidenceFinder(LinkedNames(inventory), NameVectors(shim.acrobert)))


class AcroBERTShim(Shim):
    """Holds AcroBERT for thinc. Weights travel as the files of their folder, never pickled."""

    def __init__(self, path: str | None = None) -> None:
        super().__init__(None)
        self.path = path
        self._files: dict[str, bytes] | None = None  # the weights, where they came without a path
        self._loaded: AcroBERT | None = None
        self._trained = False

    @property
    def acrobert(self) -> "AcroBERT":
        """AcroBERT itself, read at the first use, on the device that thinc was told to use."""
        if self._loaded is None:
            from ..modeling.acrobert import AcroBERT

            prepare_forks()
            if self._files is None:
                self._loaded = AcroBERT.load(find_weights(self.path))
            else:
                with TemporaryDirectory() as folder:
                    _unpack(self._files, Path(folder))
                    self._loaded = AcroBERT.load(folder)
            self._loaded.to(get_torch_default_device())
        return self._loaded

    def __call__(
        self, questions: list[Question], is_train: bool
    ) -> tuple[list[Floats1d], Backprop]:
        import torch

        mentions = [one.mention for one in questions]
        module = self.acrobert.module.train(is_train)
        with torch.set_grad_enabled(is_train):
            scores = self.acrobert.score(mentions, [one.long_forms for one in questions])
        module.eval()

        def backprop(gradients: list[Floats1d]) -> list[Any]:
            pairs = zip(gradients, scores, strict=True)
            torch.autograd.backward(scores, [xp2torch(g, device=one.device) for g, one in pairs])
            return []

        return [cast(Floats1d, torch2xp(one)) for one in scores], backprop

    def finish_update(self, optimizer: Optimizer) -> None:
        """Let a thinc optimizer change the parameters that have gradients."""
        for name, parameter in self.acrobert.module.named_parameters():
            if parameter.grad is not None:
                values, _ = optimizer(
                    (self.id, name),
                    # Flat, because thinc takes no numbers that are no arrays, as the scale is.
                    cast(FloatsXd, torch2xp(parameter.data.reshape(-1))),
                    cast(FloatsXd, torch2xp(parameter.grad.reshape(-1))),
                )
                parameter.data = xp2torch(values, device=parameter.device).view_as(parameter)
                parameter.grad = None
        self._files, self._trained = None, True

    @contextmanager
    def use_params(self, params: dict[Any, Any]) -> Iterator[None]:
        """Put other values, such as an optimizer's averages, in place for a while."""
        named = dict(self.acrobert.module.named_parameters()) if params else {}
        backup = {}
        for name, parameter in named.items():
            if (self.id, name) in params:
                backup[name] = parameter.data
                values = xp2torch(params[self.id, name], device=parameter.device)
                parameter.data = values.view_as(parameter)
        yield
        for name, values in backup.items():
            named[name].data = values

    def to_device(self, device_type: str, device_id: int) -> None:
        """Move the weights, if they are loaded; otherwise they go where thinc's device is."""
        if self._loaded is not None:
            self._loaded.to("cpu" if device_type == "cpu" else f"cuda:{device_id}")

    def to_bytes(self) -> bytes:
        """The weights' files; those never loaded are passed on as they are."""
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
        return self._take(_pack(Path(path)))

    def _take(self, files: dict[str, bytes]) -> "AcroBERTShim":
        self._files, self._loaded, self._trained = files, None, False
        return self

    def _pack(self) -> dict[str, bytes]:
        if self._files is not None:
            return self._files
        if not self._trained:
            return _pack(find_weights(self.path))
        with TemporaryDirectory() as folder:
            self.acrobert.save(folder)
            return _pack(Path(folder))


@cache
def prepare_forks() -> None:
    """Let this process fork after torch and the tokenizer ran, as `nlp.pipe(n_process=2)` does.

    Neither's threads survive a fork; a worker that waits for them hangs. So workers use one thread,
    which is also right where each core has a worker.
    """
    import torch

    def before() -> None:
        os.environ.setdefault(_TOKENIZER_THREADS, "false")

    def after_in_parent() -> None:
        if own:
            os.environ.pop(_TOKENIZER_THREADS, None)

    def after_in_child() -> None:
        torch.set_num_threads(1)

    own = _TOKENIZER_THREADS not in os.environ
    if hasattr(os, "register_at_fork"):  # not on Windows, where nothing forks
        os.register_at_fork(
            before=before, after_in_parent=after_in_parent, after_in_child=after_in_child
        )
    if multiprocessing.parent_process() is not None:
        torch.set_num_threads(1)


def find_weights(path: str | None) -> Path:
    """The folder of the weights: the packaged one, a local one, or one from the hub.

    Raises InputError when there is no such folder and the hub has, or gives, none of this name.
    """
    if path is None:
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
    from huggingface_hub import snapshot_download

    try:
        return Path(
            snapshot_download(path, allow_patterns=["*.json", "*.txt", "*.safetensors", "*.bin"])
        )
    except Exception as error:  # the hub's client raises many kinds; all mean the same here
        raise InputError(
            f"'{path}' is neither a folder here nor a model that the Hugging Face hub gives "
            f"({type(error).__name__}: {error}). Without a network, give a local folder."
        ) from None


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
