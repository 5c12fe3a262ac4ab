"""Base class and registry of the systems for identification."""

from ....text import Offsets
from ..registry import Registry
from ..system import System
from .data import Prediction, Training


class IdentificationSystem(System[Training, str, Prediction]):
    """A system that marks the acronyms and long forms of each text."""


SYSTEMS: Registry[IdentificationSystem] = Registry(f"{__package__}.systems")


def touches(span: Offsets, others: set[Offsets]) -> bool:
    """Return whether a span overlaps any of the other spans.

    Args:
        span: Character offsets.
        others: Offsets of the other spans.

    Returns:
        True if the span shares a character with another span.
    """
    return any(span[0] < end and start < span[1] for start, end in others)


def apart(short: set[Offsets], long: set[Offsets]) -> Prediction:
    """Create a prediction without the acronyms that lie in a long form.

    Args:
        short: Character offsets of acronyms.
        long: Character offsets of long forms.

    Returns:
        The remaining acronyms, and all long forms.
    """
    return Prediction({span for span in short if not touches(span, long)}, long)
