"""AC013: an acronym in another case, with dots, or with a possessive for a plural."""

import re
from collections import Counter
from collections.abc import Iterator
from unicodedata import normalize

from ...documents.lists import names
from ..defined import Use
from ..document import LintDocument
from ..finding import Found

_WORD = re.compile(r"(?<![\w.'/@#-])[^\W_][\w-]*(?![\w'/@-])")
_DOTS = re.compile(r"(?:[A-Za-z]\.){2,}")
_PLURAL_VERB = re.compile(r"['\u2019]s\s+(?:are|were|have|do)\b")
_OFTEN = 3  # times
_LEGAL = re.compile(r"\b(?:copyright|licen[cs]ee?|warrant(?:y|ies))\b", re.IGNORECASE)
_SPELLED = re.compile(r"\b(?:spell(?:ed|ing)|written|option|key|error|variable|value)s?\b")
_NAME_BEFORE = re.compile(r"[^.!?\s] [A-Z][a-z]+ $")
_NAME_AFTER = re.compile(r" [A-Z][A-Za-z]*[a-z]\b")
_OPENS = re.compile(r"[(\[]")
_EXPLAINS = re.compile(r", or\b|[:=]| ?[-\u2013] ")
_PARAGRAPH = 300  # characters on either side of a place
_NEAR = 40
_DOTTED = names("AD AM BA BC BS CA DC EU LA MA MD NY PM PR SA SC UK UN US")
_WORD_AFTER = re.compile(r"\s+[a-z]{2}")
_SHORTEST = 3  # letters: of two, as "It" and "IT", most are words


def inconsistent(document: LintDocument) -> Iterator[Found]:
    """A finding at each mention that differs from the definition in more than its number."""
    defined = {one.acronym: one for one in document.meant}
    entries = {one.acronym for one in document.meant if one.glossary}
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
        here, there = counts[word[0]], counts[spelled]
        another = here > there or here == there >= _OFTEN  # or the definition is the odd one out
        capitals, small = (sum(map(of, word[0])) for of in (str.isupper, str.islower))
        another = another and spelled not in entries
        if plural or another or not 1 < capitals >= small:
            continue
        if _is_name(document, word, spelled) or _is_others(document, *word.span()):
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
        if _paragraph_has(_LEGAL, document.text, use.start):
            continue
        if dotted and _is_others(document, use.start, use.end):
            continue
        if dotted and _is_spelling(document, use):
            yield Found(document.offset(use), f"'{written}' is defined as '{spelled}'")
        elif _PLURAL_VERB.match(document.text, use.end):
            yield Found(document.offset(use), f"the plural of '{written}' has no apostrophe")


def _is_spelling(document: LintDocument, use: Use) -> bool:
    """Whether a mention with dots, or without, is surely of the acronym: two letters with dots may
    be a person's initials, a place, a time or a degree."""
    letters = document.text[use.start : use.end].replace(".", "")
    sure = (
        letters.isupper() and letters not in _DOTTED and _WORD_AFTER.match(document.text, use.end)
    )
    return len(letters) >= _SHORTEST or bool(sure)


def _is_name(document: LintDocument, word: re.Match[str], spelled: str) -> bool:
    """Whether the other spelling is perhaps a gene's beside its protein's, as "MECP2" beside
    "MeCP2", or is of an option or an error, one that the text speaks of, or of a licence."""
    if word[0].isupper() != spelled.isupper() and document.words_of_genes >= _OFTEN:
        return True
    text = document.text
    near = text[max(0, word.start() - _NEAR) : word.end() + _NEAR]
    spoken = _SPELLED.search(near) or _paragraph_has(_LEGAL, text, word.start())
    return bool(spoken) or word[0] in document.joined_words


def _is_others(document: LintDocument, start: int, end: int) -> bool:
    """Whether another spelling is of another's words: quoted, part of a longer name, such as
    "BAE Systems" and "Euro QoL", or explained in a bracket by itself."""
    text = document.text
    name = _NAME_BEFORE.search(text, max(0, start - _NEAR), start) or _NAME_AFTER.match(text, end)
    explained = _OPENS.search(text, max(0, start - 1), start) and _EXPLAINS.match(text, end)
    return bool(name or explained) or document.quotations.has(start)


def _paragraph_has(pattern: re.Pattern[str], text: str, at: int) -> bool:
    before = text[max(0, at - _PARAGRAPH) : at].rpartition("\n\n")[2]
    return bool(pattern.search(before + text[at : at + _PARAGRAPH].partition("\n\n")[0]))


def _looks_alike(word: str, spelled: str) -> bool:
    """Whether a first letter is all the difference, as where sentences begin: "LncRNAs are", or a
    sign that looks like another, or an acronym of two letters: "PBS" and "PBs"."""
    if word[1:] == spelled[1:] or normalize("NFKC", word) == normalize("NFKC", spelled):
        return True
    return spelled[-1] == "s" and len(spelled) <= _SHORTEST
