"""What a system for identification offers, and the registry of those there are."""

from ....text import Offsets
from ..registry import Registry
from ..system import System
from .data import Found, Training


class IdentificationSystem(System[Training, str, Found]):
    """A system that marks the acronyms and long forms of each text."""


SYSTEMS: Registry[IdentificationSystem] = Registry(f"{__package__}.systems")


def touches(span: Offsets, others: set[Offsets]) -> bool:
    """Return whether a span has a character of one of the others."""
    return any(span[0] < end and start < span[1] for start, end in others)


def apart(short: set[Offsets], long: set[Offsets]) -> Found:
    """Return what was found without the acronyms that lie in a long form."""
    return Found({span for span in short if not touches(span, long)}, long)
