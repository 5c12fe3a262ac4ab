"""spaCy components that find the acronyms in a text and resolve them to their long forms.

This module is the public Python interface of spacy-gladis. Every name is imported on first use,
because spaCy imports the package whenever it creates a pipeline.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .dictionary import Candidate as Candidate
    from .dictionary import CandidateSource as CandidateSource
    from .dictionary import Dictionary as Dictionary
    from .errors import FormatError as FormatError
    from .errors import GladisError as GladisError
    from .errors import InputError as InputError
    from .errors import MissingExtraError as MissingExtraError
    from .output.records import to_record as to_record
    from .output.rows import to_dataframe as to_dataframe
    from .pipeline.annotations import install_extensions as install_extensions
    from .pipeline.load import load_pipeline
    from .pipeline.verify import verify as verify
    from .resolution import Resolution as Resolution
    from .text import Definition as Definition

    load = load_pipeline

__version__ = "0.1.0"

_MODULES = {
    "Candidate": ".dictionary",
    "CandidateSource": ".dictionary",
    "Definition": ".text",
    "Dictionary": ".dictionary",
    "FormatError": ".errors",
    "GladisError": ".errors",
    "InputError": ".errors",
    "MissingExtraError": ".errors",
    "Resolution": ".resolution",
    "install_extensions": ".pipeline.annotations",
    "load": ".pipeline.load",
    "to_dataframe": ".output.rows",
    "to_record": ".output.records",
    "verify": ".pipeline.verify",
}
__all__ = [*_MODULES]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    module = import_module(_MODULES[name], __name__)
    return getattr(module, "load_pipeline" if name == "load" else name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
