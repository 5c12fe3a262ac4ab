"""Base class and registry of the systems that mark acronyms and long forms in texts."""

from ....text import Offsets
from ..registry import Registry
from ..system import System
from .data import Prediction, Training


class IdentificationSystem(System[Training, str, Prediction]):
    """Base class of systems that mark the acronyms and long forms in texts.

    A subclass overrides `answer`, which takes one text, or `predict`, which takes all of them.
    """


SYSTEMS: Registry[IdentificationSystem] = Registry(f"{__package__}.systems")


def touches(span: Offsets, others: set[Offsets]) -> bool:
    """Return whether a span of a text overlaps any of several other spans.

    Args:
        span: Character offsets of the span.
        others: Character offsets of the other spans.

    Returns:
        True if the span has at least one character in common with another span.
    """
    return any(span[0] < end and start < span[1] for start, end in others)


def apart(short: set[Offsets], long: set[Offsets]) -> Prediction:
    """Create the prediction for a text, without the acronyms that overlap a long form.

    Args:
        short: Character offsets of the acronyms.
        long: Character offsets of the long forms.

    Returns:
        A prediction with all long forms and the remaining acronyms.
    """
    return Prediction({span for span in short if not touches(span, long)}, long)
