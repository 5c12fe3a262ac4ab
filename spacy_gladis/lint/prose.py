"""Whether what reads like a definition is one, in running text."""

import re

from .defined import Defined
from .places import Places
from .references import in_link_text

_EXAMPLE = re.compile(r"\be\.\s?g\.|\bfor example\b|\bsuch as\b|\blike\b", re.IGNORECASE)
_OR = re.compile(r"\bor\s+$")  # "XYZ (one thing or another)"
_BRACKET = re.compile(r"[(\[]([^()\[\]]{1,80})[)\]]")
_ADDRESS = re.compile(r"[(\[][^()\[\]]*,")  # "the antibody (Some Maker, Palo Alto, CA)"
_OPENS = re.compile(r"[(\[]")
_CONTRACT = re.compile(r"\s+\((?:the )?[\"\u201c]")  # 'the European Union (the "EU")'
_MEASURE = re.compile(r"\s*[(\[][^()\[\]]*[$<>=~\d\u2264\u2265]")  # "energies (> 1 Ry)"
_ET_CETERA = re.compile(r"(?:[,;]?\s*(?:\betc\b|\.\.|\u2026)\.*)+\s*$")
_JOINED = re.compile(
    r"(?:\W|\b(?:aka|also|an?|as|called|for|is|known|means|or|short|stands|the)\b)*"
)
"""What stands between an acronym and its long form, where no bracket does."""
_AND = re.compile(r"\s*[,;/]\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+")
_ONE_OF_SEVERAL = re.compile(r"[\w-]*[A-Z][\w-]*[A-Z][\w-]*")
_VERB = re.compile(r"\b(?:is|are|was|were)\b")  # in "it is the XYZ"
_TITLE_ENDS = re.compile(r"[)\]][.,]?[\"\u201d]")  # of a quoted work
_TITLE = 80  # characters at most
# "the X (SF) Data Format", "the X (SF) Link and Load Format"
_IN_NAME = re.compile(r"[)\]][ \t\n]+[A-Z][\w-]+(?:[ \t\n]+(?:and|for|of))?[ \t\n]+[A-Z][\w-]+")
_WITH_MORE = re.compile(r"[ \t\n]+(?:and|or)\b|[^()\n]{1,20}\bonly[)\]]")  # "(SF and others only)"


def stands_in_prose(document: Places, one: Defined, alone: bool) -> bool:
    """Whether a definition is no part of a reference, a name or a program.

    alone: whether no other acronym has its long form.
    """
    if one.acronym_at is None or one.long_form_at is None:
        return True
    at = one.acronym_at[0]
    between = _between(document, one)
    quoted = _TITLE_ENDS.match(document.text, one.acronym_at[1])
    aside = _OR.search(document.text, one.acronym_at[1], one.long_form_at[0])
    clause = between.isspace() and _VERB.search(one.long_form)
    if quoted or aside or clause or _EXAMPLE.search(between):
        return False
    if document.quotations.has(at) and not _CONTRACT.fullmatch(between):
        return False
    if _MEASURE.match(between) or _has_formula(document, one):
        return False
    several = not alone or _is_of_list(document, one.acronym_at[0])
    if "_" in between or between in ("-", "=", " ") or _ADDRESS.search(between):
        return False  # of a name in the bracket, such as "NTB (CONFIG_NTB is needed)"
    if not (_OPENS.search(between) or _JOINED.fullmatch(between)):
        return False
    after = one.long_form_at < one.acronym_at
    if after and ("\n\n" in between or _is_of_name(document, one.acronym_at[1])):
        return False
    if between == ", " and " " not in one.long_form:
        return False  # "San Carlos, CA"
    return not (several or document.in_reference(at) or document.in_program(at))


def _is_of_name(document: Places, end: int) -> bool:
    """Whether a bracket's acronym ends there that more words share, or that is part of a
    title, as in "the X (SF) Data Format" or in the text of a link."""
    original = document.source.original_offset(end - 1) + 1
    return bool(
        _IN_NAME.match(document.text, end)
        or _WITH_MORE.match(document.text, end)
        or in_link_text(document.source, original)
    )


def _between(document: Places, one: Defined) -> str:
    """What stands between a definition's two parts."""
    first, second = sorted((one.acronym_at or (0, 0), one.long_form_at or (0, 0)))
    return document.text[first[1] : second[0]]


def _has_formula(document: Places, one: Defined) -> bool:
    """Whether a formula, which the text lacks, stands between a definition's two parts."""
    first, second = sorted((one.acronym_at or (0, 0), one.long_form_at or (0, 0)))
    start = document.source.original_offset(first[1] - 1)
    return "$" in document.source.source[start : document.source.original_offset(second[0])]


def _is_of_list(document: Places, at: int) -> bool:
    """Whether the bracket right before an offset or a few acronyms before holds several."""
    opening = max(document.text.rfind(sign, max(0, at - _TITLE), at) for sign in "([")
    bracket = _BRACKET.match(document.text, opening) if opening >= 0 else None
    if not bracket or at >= bracket.end():
        return False
    items = _AND.split(_ET_CETERA.sub("", bracket[1]).removeprefix("i.e. "))
    more = bool(_ET_CETERA.search(bracket[1]))
    return more or (len(items) > 1 and all(map(_ONE_OF_SEVERAL.fullmatch, items)))
