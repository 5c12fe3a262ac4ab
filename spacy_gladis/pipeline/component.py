"""What the components share: documents one by one or as a stream, settings, saving and loading."""

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
"""The packaged weights, as a component's config names them."""

Self = TypeVar("Self", bound="Component")


class Component:
    """A spaCy pipe with settings; it stands before spaCy's own class among the bases.

    A subclass offers `predict` and `set_annotations`, and `_parts` where it has more to save.
    """

    name: str
    vocab: Vocab
    cfg: dict[str, Any]

    optional: ClassVar[frozenset[str]] = frozenset()
    """Parts that a saved component may lack."""

    def _begin(self, nlp: Language, name: str, cfg: dict[str, Any]) -> None:
        """Take the settings. Raises InputError when one is out of range."""
        install_extensions()
        self.name, self.vocab, self.cfg = name, nlp.vocab, cfg
        check_settings(cfg, name)

    def _check(self, settings: dict[str, Any]) -> None:
        """Raise InputError for settings that the component does not have, or out of range."""
        if unknown := settings.keys() - self.cfg.keys():
            raise InputError(f"{self.name} has no setting {', '.join(sorted(unknown))}")
        check_settings(settings, self.name)

    def __call__(self, doc: Doc) -> Doc:
        """Annotate one document, in place."""
        return next(self.pipe([doc]), doc)

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Annotate a stream of documents in place, `batch_size` of them together.

        Of a batch that fails each document is tried alone, so that only those that fail themselves
        go to the component's error handler (which raises, unless the user set another).
        """
        install_extensions()
        component: Any = self  # a pipe of spaCy's, too
        for docs in util.minibatch(stream, batch_size):  # type: ignore[no-untyped-call]
            failure: Exception | None = None
            try:
                component.set_annotations(docs, component.predict(docs))
            except Exception as error:
                failure = error
            # Outside of the `except`, so that an error raised below does not carry this one along.
            if failure is None:
                yield from docs
            elif len(docs) > 1:
                yield from self.pipe(docs, batch_size=1)
            else:
                component.get_error_handler()(self.name, self, docs, failure)

    def set_annotations(self, docs: Iterable[Doc], answers: list[Any]) -> None:
        """Write the answers to the spans' `kb_id_`, and all else beside the spans."""
        for doc, found in zip(docs, answers, strict=True):
            write_answers(doc, self.cfg["spans_key"], found)

    def _parts(self, *, reading: bool) -> dict[str, Any]:
        """What is saved beside the settings, by name: objects with `to_bytes`, `to_disk` and so on.

        reading: for what is to be read, else for what is to be written.
        """
        return {}

    def _take_settings(self, saved: dict[str, Any]) -> None:
        """Take the settings of a saved component. Raises InputError when one is out of range."""
        self.cfg.update(saved)
        check_settings(self.cfg, self.name)

    def _changed(self) -> None:
        """Forget what was made of the settings and parts before: others were read."""

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The settings and all parts; a dictionary or an inventory goes by its path."""
        parts = {name: part.to_bytes for name, part in self._parts(reading=False).items()}
        return util.to_bytes({"cfg": lambda: srsly.json_dumps(self.cfg), **parts}, exclude)

    def from_bytes(self: Self, data: bytes, *, exclude: Iterable[str] = ()) -> Self:
        """Read what `to_bytes` wrote; raises FormatError where a file is another one now."""
        parts = {name: part.from_bytes for name, part in self._parts(reading=True).items()}
        cfg = {"cfg": lambda content: self._take_settings(srsly.json_loads(content))}
        util.from_bytes(data, {**cfg, **parts}, exclude)
        self._changed()
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write all that the component needs: it then depends on no other file."""
        parts = {name: part.to_disk for name, part in self._parts(reading=False).items()}
        util.to_disk(path, {"cfg": lambda file: write_json(file, self.cfg), **parts}, exclude)

    def from_disk(self: Self, path: str | Path, *, exclude: Iterable[str] = ()) -> Self:
        """Read what `to_disk` wrote; raises FormatError if a file is damaged or another's."""
        parts = {name: part.from_disk for name, part in self._parts(reading=True).items()}
        lacking = {name for name in self.optional if not (Path(path) / name).exists()}
        cfg = {"cfg": lambda file: self._take_settings(srsly.read_json(file))}
        util.from_disk(path, {**cfg, **parts}, {*exclude, *lacking})
        self._changed()
        return self


class SpanLinker(Component):
    """Answers for the spans under one key of `doc.spans`, by AcroBERT and a file of candidates."""

    model: Model[Any, Any]

    @property
    def _weights(self) -> Any:
        """What holds AcroBERT; on disk it is a folder of weights as its `path` takes them."""
        return self.model.shims[0]

    def predict(self, docs: Iterable[Doc]) -> list[Any]:
        """The answers for each document's spans, in order."""
        raise NotImplementedError

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Score the answers at the reference's spans, wherever the pipeline found others."""
        examples = [with_gold_spans(one, self.cfg["spans_key"]) for one in examples]
        docs = [example.predicted for example in examples]
        self.set_annotations(docs, self.predict(docs))
        scores: dict[str, Any] = super().score(examples, **kwargs)  # type: ignore[misc]
        return scores
