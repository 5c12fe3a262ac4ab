"""Names of one concept, as a text that the rules read: "canonical name (alternate name)"."""

from typing import NamedTuple

from ....documents.document import PARAGRAPH_END

BRACKETS = set("()[]")


class Concept(NamedTuple):
    """A concept of a reference with its names; `type` is its class there, where that is given."""

    id: str
    name: str
    alternates: list[str]
    title: str = ""  # of its Wikipedia page
    type: str = ""

    def text(self) -> str:
        """A paragraph for each alternate name; the shorter of two names stands in the bracket.

        Names that hold brackets are left out. Empty where nothing is left. GLADIS, section 3.
        """
        if BRACKETS & set(self.name):
            return ""
        pairs = []
        for alternate in dict.fromkeys(self.alternates):
            if alternate and alternate != self.name and not BRACKETS & set(alternate):
                short, long = sorted((self.name, alternate), key=len)
                pairs.append(f"{long} ({short})")
        return PARAGRAPH_END.join(pairs)
