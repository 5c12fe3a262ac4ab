"""Settings that several components share, with their defaults and their valid values."""

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, Literal, get_args

from .errors import InputError, unknown_name

Ranking = Literal["retriever", "popularity"]
"""The method for ranking the candidate long forms of an acronym.

- ``retriever``: compare the text around the acronym with the contexts of each long form, and use
  all other evidence.
- ``popularity``: use only how often the dictionary has each long form.
"""

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
"""Subject fields that the packaged model distinguishes. The setting `field` selects one of them."""

THRESHOLD = 0.5
"""Default minimum probability of a long form. If the best candidate is less probable, the acronym
stays unresolved. On held-out sources of the training texts, 91 % of the answers above it are right
(`benchmarks/results/evidence.json`)."""

MIN_SYNONYM_PROBABILITY = 0.8
"""Default minimum probability (0 to 1) that a meaning needs to become a synonym rule for a search
engine. It applies to the mean over the meaning's mentions."""

PROBABILITIES = ("threshold", "precision", "ask_below")
COUNTS = ("top_k", "acronyms_per_prompt")


def resolve_settings(values: Mapping[str, Any]) -> dict[str, Any]:
    """Normalize the settings that a user passes to the acronym linker.

    The subject field is converted to lower case. A user can set either `threshold` or `precision`.
    Setting one of them resets the other to its default.

    Args:
        values: A mapping from the names of settings to their values. None stands for a setting that
            wasn't passed.

    Returns:
        A copy of the settings with normalized values.

    Raises:
        InputError: If both `threshold` and `precision` are set.
    """
    settings = dict(values)
    if isinstance(settings.get("field"), str):
        settings["field"] = settings["field"].lower()
    threshold, precision = settings.get("threshold"), settings.get("precision")
    if threshold is not None and precision is not None:
        raise InputError(
            "Set either threshold or precision, not both. If you set precision, the threshold is "
            "chosen automatically."
        )
    if precision is not None:
        settings["threshold"] = THRESHOLD
    elif threshold is not None:
        settings["precision"] = None
    return settings


def check_settings(settings: Mapping[str, Any], component: str = "") -> None:
    """Raise an error if a setting of a component has an invalid value.

    Args:
        settings: A mapping from the names of settings to their values. Settings that have no
            restrictions, and unknown ones, are ignored.
        component: Name of the component, which the error message begins with. Empty leaves it out.

    Raises:
        InputError: If a value has the wrong type, is out of range or isn't one of the possible
            values.
    """
    prefix = f"{component}: " if component else ""
    for name, value in settings.items():
        if name in PROBABILITIES and value is not None:
            if not (isinstance(value, Real) and 0 <= float(value) <= 1):
                raise InputError(f"{prefix}{name} must be between 0 and 1, got {value!r}.")
        elif name in COUNTS and not (isinstance(value, Integral) and int(value) >= 1):
            raise InputError(f"{prefix}{name} must be a whole number, at least 1, got {value!r}.")
        if name == "field" and value is not None and value not in FIELDS:
            raise unknown_name("field", str(value), FIELDS, listing="spacy-gladis annotate --help")
        if name == "languages" and value is not None and not _is_code_list(value):
            raise InputError(
                f"{prefix}languages must be a list of codes such as ['en', 'de'], got {value!r}."
            )
        if name == "ranking" and value not in RANKINGS:
            raise InputError(
                f"{prefix}ranking must be one of {', '.join(RANKINGS)}, got '{value}'."
            )


def _is_code_list(value: object) -> bool:
    """Return whether a value is a list of spaCy's language codes, such as ``["en", "grc"]``."""
    return isinstance(value, (list, tuple)) and all(
        isinstance(code, str) and code.islower() and len(code) in (2, 3) for code in value
    )
