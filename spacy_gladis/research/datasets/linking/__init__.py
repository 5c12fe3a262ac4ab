"""Data sets of phrases linked to concepts, one file a format."""

from .askapatient import read_askapatient
from .cometa import read_cometa
from .psytar import read_psytar
from .pubtator import read_pubtator

__all__ = ["read_askapatient", "read_cometa", "read_psytar", "read_pubtator"]
