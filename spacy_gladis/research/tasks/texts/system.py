"""The interface of systems for whole texts, and their registry."""

from ...datasets.texts import LabelledText
from ..registry import Registry
from ..system import System
from .data import Answers


class TextsSystem(System[None, LabelledText, Answers]):
    """A system that finds and resolves the acronyms of texts."""


SYSTEMS: Registry[TextsSystem] = Registry(f"{__package__}.systems")
