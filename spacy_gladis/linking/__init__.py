"""AcroBERT: its encoder on either engine, its retriever, the evidence and its weights."""

from .acrobert import AcroBERT, Settings
from .calibration import Calibration
from .disambiguator import Disambiguator
from .long_form_vectors import LongFormVectors

__all__ = [
    "AcroBERT",
    "Calibration",
    "Disambiguator",
    "LongFormVectors",
    "Settings",
]
