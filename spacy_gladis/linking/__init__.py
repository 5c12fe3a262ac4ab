"""Acronym linking: find the meaning of each mention of an acronym."""

from .acrobert import AcroBERT, Settings
from .calibration import Calibration
from .linker import Linker
from .long_form_vectors import LongFormVectors

__all__ = [
    "AcroBERT",
    "Calibration",
    "Linker",
    "LongFormVectors",
    "Settings",
]
