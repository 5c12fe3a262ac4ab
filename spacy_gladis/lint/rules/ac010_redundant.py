"""AC010: a word that the acronym says already."""

import re
from collections.abc import Iterator

from ...text.spelling import same_key
from ..document import LintDocument
from ..finding import Found
from ..rule import Rule

_NEXT = re.compile(r"[ \t]+([^\W\d_]+)(?![\w(-])")


class RedundantWord(Rule):
    code = "AC010"
    name = "redundant-word"
    summary = "The word after an acronym repeats the word that its last letter stands for"
    why = "The sentence says the same word twice: an ATM machine is a teller machine machine."
    known_problems = (
        "Only the words of the document's own definitions and of the packaged list of known "
        "acronyms are compared."
    )
    fix_safety = "The repeated word is deleted. No fix is made where markup lies before it."
    is_default = True
    bad = (
        "Insert your card at the ATM machine.",
        "Type the PIN number.",
        "A digital elevation model (DEM) is a grid. The DEM model is old.",
    )
    good = (
        "Insert your card at the ATM.",
        "Type the PIN. The number is long.",
        "A digital elevation model (DEM) is a grid. The DEM is old.",
    )

    def check(self, document: LintDocument) -> Iterator[Found]:
        """Report each repeated word, by the document's long forms, else by the known ones."""
        for use in document.uses:
            following = _NEXT.match(document.text, use.end)
            if not following:
                continue
            definitions = document.by_key.get(use.key)
            listed = document.settings.long_forms.get(use.key, "")
            long_form = definitions[0].long_form if definitions else listed
            words = long_form.lower().split()
            if len(words) < 2 or words[-1] != following[1].lower():
                continue
            if use.key[-1].lower() == words[-1][0] or same_key(long_form) == same_key(listed):
                message = (
                    f"'{use.acronym} {following[1]}' says '{words[-1]}' twice: it is '{long_form}'"
                )
                fix = document.replacement(use.end, following.end(), "")
                yield Found(document.offset(use), use.acronym, message, fix)
