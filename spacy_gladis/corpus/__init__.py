"""Raw corpora in; mined definitions and samples out."""

from ..problem import Problem, ProblemLog
from .document import Document
from .extract import MinedDefinition, SampleSettings, extract_document
from .readers import read_documents
from .sample import Sample, read_samples, write_samples

__all__ = [
    "Document",
    "MinedDefinition",
    "Problem",
    "ProblemLog",
    "Sample",
    "SampleSettings",
    "extract_document",
    "read_documents",
    "read_samples",
    "write_samples",
]
