"""The settings that components share, and the ranges they must be in."""

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, Literal, get_args

from .errors import InputError, unknown_name

Ranking = Literal["retriever", "popularity"]
"""What ranks the candidates: the retriever with all other evidence; counts alone."""

RANKINGS: tuple[str, ...] = get_args(Ranking)

FIELDS = (
    "aerospace",
    "business",
    "clinical",
    "computing",
    "education",
    "engineering",
    "environment",
    "everyday",
    "government",
    "hardware",
    "learning",
    "life",
    "physical",
    "security",
)
"""Fields of knowledge that a text may be of: those that the packaged model knows."""

THRESHOLD = 0.6
"""The probability below which a linker says nothing, unless it is told another: a wrong answer
costs a reader more than none."""

PROBABILITIES = ("threshold", "precision", "ask_below")
COUNTS = ("top_k", "acronyms_per_prompt")


def settled(given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as they are kept: the field in small letters, and the threshold or the precision,
    whichever is given, in the place of both. Raises InputError where both are given."""
    settings = dict(given)
    if isinstance(settings.get("field"), str):
        settings["field"] = settings["field"].lower()
    threshold, precision = settings.get("threshold"), settings.get("precision")
    if threshold is not None and precision is not None:
        raise InputError(
            "Give a threshold or a precision, not both: a precision chooses the threshold."
        )
    if precision is not None:
        settings["threshold"] = THRESHOLD
    elif threshold is not None:
        settings["precision"] = None
    return settings


def check_settings(settings: Mapping[str, Any], component: str = "") -> None:
    """Raise InputError, naming `component`, for the first setting of another type or out of range.

    settings: by name; those that have no range, and names that are not known, are passed over.
    """
    of = f"{component}: " if component else ""
    for name, value in settings.items():
        if name in PROBABILITIES and value is not None:
            if not (isinstance(value, Real) and 0 <= float(value) <= 1):
                raise InputError(f"{of}{name} must be between 0 and 1, got {value!r}")
        elif name in COUNTS and not (isinstance(value, Integral) and int(value) >= 1):
            raise InputError(f"{of}{name} must be a whole number, at least 1, got {value!r}")
        if name == "field" and value is not None and value not in FIELDS:
            raise unknown_name("field", str(value), FIELDS, listing="spacy-gladis annotate --help")
        if name == "languages" and value is not None and not _are_codes(value):
            raise InputError(
                f"{of}languages must be a list of codes such as ['en', 'de'], got {value!r}"
            )
        if name == "ranking" and value not in RANKINGS:
            raise InputError(f"{of}ranking must be one of {', '.join(RANKINGS)}, got '{value}'")


def _are_codes(value: object) -> bool:
    """Whether it is a list of codes as spaCy names languages: en, grc."""
    return isinstance(value, (list, tuple)) and all(
        isinstance(code, str) and code.islower() and len(code) in (2, 3) for code in value
    )
