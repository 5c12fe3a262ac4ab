"""Names of one concept as a text that the rules read: "canonical name (alternate name)"."""

from collections.abc import Iterable

from ..document import PARAGRAPH_END

BRACKETS = set("()[]")


def names_text(canonical: str, alternates: Iterable[str]) -> str:
    """A paragraph for each alternate name; the shorter of two names stands in the bracket.

    Names that hold brackets are left out. Empty where nothing is left. GLADIS, section 3.
    """
    if BRACKETS & set(canonical):
        return ""
    pairs = []
    for alternate in dict.fromkeys(alternates):
        if alternate and alternate != canonical and not BRACKETS & set(alternate):
            short, long = sorted((canonical, alternate), key=len)
            pairs.append(f"{long} ({short})")
    return PARAGRAPH_END.join(pairs)
