"""Documents through a component, a batch at a time."""

from collections.abc import Iterable, Iterator
from typing import Any

from spacy import util
from spacy.tokens import Doc


def annotate_batches(component: Any, stream: Iterable[Doc], batch_size: int) -> Iterator[Doc]:
    """Yield the documents that a component's `predict` and `set_annotations` annotated, in order.

    Of a batch that fails each document is tried alone, so that only those that fail themselves go
    to the component's error handler (which raises, unless the user set another).
    """
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
            yield from annotate_batches(component, docs, 1)
        else:
            component.get_error_handler()(component.name, component, docs, failure)
