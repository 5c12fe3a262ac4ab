"""AC013: an acronym in another case, with dots, or with a possessive for a plural."""

import re
from collections import Counter
from collections.abc import Iterator
from unicodedata import normalize

from ..document import LintDocument
from ..finding import Found

_WORD = re.compile(r"(?<![\w.'/@#-])[^\W_][\w-]*(?![\w'/@-])")
_DOTS = re.compile(r"(?:[A-Za-z]\.){2,}")
_PLURAL_VERB = re.compile(r"['\u2019]s\s+(?:are|were|have|do)\b")
_GENE = re.compile(r"\b(?:genes?|mRNA|mice|mouse|murine|mutations?|proteins?|transcripts?)\b", re.I)
_NEAR = 40  # characters in which a word says that it is a gene, whose protein has another case
_USED = 3  # times, as an acronym of its own is: abscisic acid (ABA) beside aureobasidin (AbA)
_SHORTEST = 3  # letters: of two, as "It" and "IT", most are words


def inconsistent(document: LintDocument) -> Iterator[Found]:
    """A finding at each mention that differs from the definition in more than its number."""
    defined = {one.acronym: one for one in document.meant}
    folded = {spelled.casefold(): spelled for spelled in defined if len(spelled) >= _SHORTEST}
    if len(folded) < sum(len(spelled) >= _SHORTEST for spelled in defined):
        return  # the document tells acronyms apart by case
    words = list(_WORD.finditer(document.text))
    counts = Counter(word[0] for word in words)
    for word in words:
        spelled = folded.get(word[0].casefold())
        if not spelled or word[0] in defined or _looks_alike(word[0], spelled):
            continue
        plural = spelled[-1] == "S" and word[0] == spelled[:-1] + "s"  # of another
        another = counts[word[0]] >= counts[spelled] >= _USED  # an acronym with uses of its own
        capitals, small = (sum(map(of, word[0])) for of in (str.isupper, str.islower))
        gene = _GENE.search(document.text, max(0, word.start() - _NEAR), word.end() + _NEAR)
        if plural or another or gene or not 1 < capitals >= small:
            continue
        if not document.in_title(word.start()):
            offset = document.source.original_offset(word.start())
            yield Found(offset, f"'{word[0]}' is defined as '{spelled}'")
    for use in document.uses:
        definitions = document.by_acronym.get(use.key)
        if not definitions:
            continue
        written, spelled = document.text[use.start : use.end], definitions[0].acronym
        dotted = bool(_DOTS.match(written)) != bool(_DOTS.match(spelled))
        if dotted and len(use.key.replace(".", "")) >= _SHORTEST:
            yield Found(document.offset(use), f"'{written}' is defined as '{spelled}'")
        elif _PLURAL_VERB.match(document.text, use.end):
            yield Found(document.offset(use), f"the plural of '{written}' has no apostrophe")


def _looks_alike(word: str, spelled: str) -> bool:
    """Whether a first letter is all the difference, as where sentences begin: "LncRNAs are", or a
    sign that looks like another, or an acronym of two letters: "PBS" and "PBs"."""
    if word[1:] == spelled[1:] or normalize("NFKC", word) == normalize("NFKC", spelled):
        return True
    return spelled[-1] == "s" and len(spelled) <= _SHORTEST
