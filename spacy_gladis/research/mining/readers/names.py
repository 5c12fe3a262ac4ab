"""Names of one concept, as a text that the rules read: "canonical name (alternate name)"."""

from ....concepts import Concept
from ....documents.document import PARAGRAPH_END

BRACKETS = set("()[]")


def names_as_text(concept: Concept) -> str:
    """A paragraph for each other name; the shorter of two names stands in the bracket.

    Names that hold brackets are left out. Empty where nothing is left. GLADIS, section 3.
    """
    preferred, *others = concept.names
    if BRACKETS & set(preferred):
        return ""
    pairs = []
    for other in dict.fromkeys(others):
        if other and other != preferred and not BRACKETS & set(other):
            short, long = sorted((preferred, other), key=len)
            pairs.append(f"{long} ({short})")
    return PARAGRAPH_END.join(pairs)
