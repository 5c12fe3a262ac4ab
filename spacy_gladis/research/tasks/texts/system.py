"""What a system for whole texts offers, and the registry of those there are."""

from ...datasets.texts import LabelledText
from ..registry import Registry
from ..system import System
from .data import Answers


class TextsSystem(System[None, LabelledText, Answers]):
    """A system that finds and resolves the acronyms of texts."""


SYSTEMS: Registry[TextsSystem] = Registry(f"{__package__}.systems")
