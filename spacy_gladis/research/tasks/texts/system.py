"""The interface and the registry of systems that find and resolve the acronyms of whole texts."""

from ...datasets.texts import LabelledText
from ..registry import Registry
from ..system import System
from .data import Answers


class TextsSystem(System[None, LabelledText, Answers]):
    """Base class of systems that find all acronyms in a text and resolve them to long forms."""


SYSTEMS: Registry[TextsSystem] = Registry(f"{__package__}.systems")
