"""Recognition of abbreviations that style guides leave unexpanded, such as units and doses."""

import re
from typing import Final

from ..resolution import Resolution
from ..text.shapes import has_acronym_shape

_LATIN: Final = (
    "ad libitum|ante cibum|auris dextra|auris sinistra|auris utraque|bis die|bis in die|guttae?"
    "|hora somni|nil per os|nihil per os|oculus dexter|oculus sinister|oculus uterque|per os"
    "|post cibum|pro re nata|quaque .+|quater die .+|quater in die|statim|ter die .+|ter in die"
    "|ut dictum"
)
_ENGLISH: Final = (
    "(?:once|twice|three times|four times) (?:a |per )?(?:day|daily|week)"
    "|every (?:other |\\w+ )?(?:day|morning|evening|night|hours?|week)(?: .+)?"
    "|as needed|at bedtime|(?:before|after) meals|by mouth|nothing by mouth"
)
_DOSING: Final = re.compile(f"(?:{_LATIN}|{_ENGLISH})", re.IGNORECASE)
_ELEMENT: Final = "(?:Al|Ca|Cl|Fe|K|Mg|Na|Si|Br|Cu|Zn|[CFHINOPS])"
_FORMULA: Final = re.compile(rf"(?=\D+\d)(?:{_ELEMENT}\d?)+")
_COMPOUND: Final = re.compile(
    r"(?:oxide|peroxide|chloride|fluoride|sulfide|sulphide|nitride|hydride|ate|ite|ane|ene|acid"
    r"|ammonia|water|ozone|oxygen|hydrogen|nitrogen|chlorine)s?\Z",
    re.IGNORECASE,
)


def is_shorthand(answer: Resolution) -> bool:
    """Return whether an abbreviation is usually left unexpanded, such as `w/`, `BID` or `CO2`.

    These are abbreviations without the shape of an acronym, instructions for doses, and chemical
    formulas.

    Args:
        answer: Resolution of the abbreviation at one place in a text.

    Returns:
        True if it should stay unexpanded. Always False if the text defines the abbreviation.
    """
    if answer.source == "definition":
        return False
    written = answer.acronym.rstrip(".") if answer.acronym.count(".") == 1 else answer.acronym
    meaning = str(answer.long_form)
    return (
        not has_acronym_shape(written)
        or bool(_DOSING.fullmatch(meaning))
        or bool(_FORMULA.fullmatch(written) and _COMPOUND.search(meaning))
    )
