"""Base classes of the components, which process documents, check settings, save and load."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import srsly
from spacy import util
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..errors import InputError
from ..files import write_json
from ..settings import check_settings
from .annotations import install_extensions, write_answers
from .scorers import Scorer, with_gold_spans

__all__ = ["DEFAULT_MODEL", "Component", "Scorer", "SpanLinker"]

DEFAULT_MODEL = {"@architectures": "spacy-gladis.AcroBERT.v1", "path": None}
"""Value of the setting `model` in a component's config that selects the packaged weights."""

Self = TypeVar("Self", bound="Component")


class Component:
    """Base class of the pipeline components, which annotates documents and saves settings.

    If you also subclass one of spaCy's base classes, list this class before it. A subclass
    implements `predict` and `set_annotations`. It overrides `_parts` if it saves more than its
    settings. Its `__init__` documents its settings.

    Attributes:
        name: Name of the component in the pipeline, which error messages mention.
        vocab: Vocabulary that the components of the pipeline share.
        cfg: Settings of the component, by name.
        optional: Names of the parts that may be missing in the folder of a saved component.
    """

    name: str
    vocab: Vocab
    cfg: dict[str, Any]

    optional: ClassVar[frozenset[str]] = frozenset()

    def _begin(self, nlp: Language, name: str, cfg: dict[str, Any]) -> None:
        """Store the settings. Raise InputError if a setting is out of range."""
        install_extensions()
        self.name, self.vocab, self.cfg = name, nlp.vocab, cfg
        check_settings(cfg, name)

    def _check(self, settings: dict[str, Any]) -> None:
        """Raise InputError for unknown settings and for settings that are out of range."""
        if unknown := settings.keys() - self.cfg.keys():
            raise InputError(
                f"{self.name} has no setting {', '.join(sorted(unknown))}. Its settings are "
                f"{', '.join(sorted(self.cfg))}."
            )
        check_settings(settings, self.name)

    def __call__(self, doc: Doc) -> Doc:
        """Annotate a single document in place.

        Args:
            doc: The document to annotate.

        Returns:
            The same document.
        """
        return next(self.pipe([doc]), doc)

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Annotate a stream of documents in place.

        If a batch fails, its documents are annotated one by one. Only the documents that fail again
        are passed to the component's error handler, which raises the error by default.

        Args:
            stream: The documents to annotate.
            batch_size: Number of documents that are annotated together.

        Yields:
            The same documents, in order. Documents that failed are left out.
        """
        install_extensions()
        component: Any = self  # subclasses are spaCy pipes, too
        for docs in util.minibatch(stream, batch_size):  # type: ignore[no-untyped-call]
            failure: Exception | None = None
            try:
                component.set_annotations(docs, component.predict(docs))
            except Exception as error:
                failure = error
            # After the `except` block, so that errors raised below don't have this one as context.
            if failure is None:
                yield from docs
            elif len(docs) > 1:
                yield from self.pipe(docs, batch_size=1)
            else:
                component.get_error_handler()(self.name, self, docs, failure)

    def set_annotations(self, docs: Iterable[Doc], answers: list[Any]) -> None:
        """Set the `kb_id_` of the spans, and store the complete answers in the document.

        Args:
            docs: The documents to change, in place.
            answers: For each document, a list with the answer for each span, as `predict` returns
                it.
        """
        for doc, document_answers in zip(docs, answers, strict=True):
            write_answers(doc, self.cfg["spans_key"], document_answers)

    def _parts(self, *, reading: bool) -> dict[str, Any]:
        """Return the parts that are saved in addition to the settings, by name.

        A part has the methods `to_bytes`, `from_bytes`, `to_disk` and `from_disk`. `reading` tells
        whether the parts will be read or written.
        """
        return {}

    def _take_settings(self, saved: dict[str, Any]) -> None:
        """Restore a saved component's settings. Raise InputError if a setting is out of range."""
        self.cfg.update(saved)
        check_settings(self.cfg, self.name)

    def _changed(self) -> None:
        """Discard objects made from the old settings and parts, after new ones were read."""

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Serialize the settings and all parts of the component.

        For a dictionary or an inventory, only the path is stored, not the content. Use `to_disk` to
        store the content too.

        Args:
            exclude: Names of the parts to leave out, such as "cfg" or "model".

        Returns:
            The serialized component, which `from_bytes` restores.
        """
        parts = {name: part.to_bytes for name, part in self._parts(reading=False).items()}
        return util.to_bytes({"cfg": lambda: srsly.json_dumps(self.cfg), **parts}, exclude)

    def from_bytes(self: Self, data: bytes, *, exclude: Iterable[str] = ()) -> Self:
        """Restore the settings and parts of the component from bytes.

        Args:
            data: Serialized component that `to_bytes` returned.
            exclude: Names of the parts that aren't restored, such as "cfg" or "model".

        Returns:
            This component, so that calls can be chained.

        Raises:
            FormatError: If a dictionary or inventory has changed since its path was stored.
        """
        parts = {name: part.from_bytes for name, part in self._parts(reading=True).items()}
        cfg = {"cfg": lambda content: self._take_settings(srsly.json_loads(content))}
        util.from_bytes(data, {**cfg, **parts}, exclude)
        self._changed()
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the settings of the component and all files that it needs to a folder.

        Args:
            path: Path of a folder for this component. It is created if it doesn't exist.
            exclude: Names of the parts to leave out, such as "cfg" or "model".
        """
        parts = {name: part.to_disk for name, part in self._parts(reading=False).items()}
        util.to_disk(path, {"cfg": lambda file: write_json(file, self.cfg), **parts}, exclude)

    def from_disk(self: Self, path: str | Path, *, exclude: Iterable[str] = ()) -> Self:
        """Load the component from a folder that `to_disk` wrote.

        Args:
            path: Path of the component's folder, which `to_disk` wrote.
            exclude: Names of the parts that aren't loaded, such as "cfg" or "model".

        Returns:
            This component, so that calls can be chained.

        Raises:
            FormatError: If a file is damaged or belongs to another component.
        """
        parts = {name: part.from_disk for name, part in self._parts(reading=True).items()}
        missing = {name for name in self.optional if not (Path(path) / name).exists()}
        cfg = {"cfg": lambda file: self._take_settings(srsly.read_json(file))}
        util.from_disk(path, {**cfg, **parts}, {*exclude, *missing})
        self._changed()
        return self


class SpanLinker(Component):
    """Base class of components that use AcroBERT to resolve the spans under a key of `doc.spans`.

    Attributes:
        model: The thinc model that wraps AcroBERT.
    """

    model: Model[Any, Any]

    @property
    def _weights(self) -> Any:
        """The thinc shim that wraps AcroBERT."""
        return self.model.shims[0]

    def predict(self, docs: Iterable[Doc]) -> list[Any]:
        """Resolve the spans of each document without changing the documents.

        Args:
            docs: The documents, which hold the spans under the setting `spans_key`.

        Returns:
            For each document, an answer for each span, in the order of the spans.
        """
        raise NotImplementedError

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Score the component's answers for the spans of the reference documents.

        The component resolves the reference spans, not the spans that earlier components of the
        pipeline found. The scores therefore measure this component alone.

        Args:
            examples: Pairs of a predicted and a reference document.
            **kwargs: Additional arguments of the scorer.

        Returns:
            The scores by name.
        """
        examples = [with_gold_spans(example, self.cfg["spans_key"]) for example in examples]
        docs = [example.predicted for example in examples]
        self.set_annotations(docs, self.predict(docs))
        scores: dict[str, Any] = super().score(examples, **kwargs)  # type: ignore[misc]
        return scores
