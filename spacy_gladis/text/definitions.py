"""Find the definitions of acronyms in a text, with or without brackets.

A definition may be marked by brackets, by phrases such as `ABC stands for`, by punctuation, or by
nothing, as in `neural networks NN`. Many patterns find most definitions. In brackets, a learned
scorer then rejects wrong pairs. Without brackets, chance matches are more likely, so every letter
of the acronym must begin a word.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

from .acronym import read_acronym
from .bracket_candidates import Site, bracket_sites
from .initials import find_initials, initials_after, initials_before, initials_of
from .listed import BULLETS, listed_definitions
from .mention import Definition, Offsets
from .pairing import Score, pair, possible_pairings
from .scoring import confidence
from .tokens import FUNCTION_WORDS

THRESHOLD: Final = 0.5
"""Default minimum confidence of a definition, 0 to 1. Less certain definitions are left out."""
_TWO: Final = re.compile(r"([A-Z]{3,}) ([A-Z]{3,})")


def find_definitions(
    text: str, threshold: float = THRESHOLD, score: Score = confidence
) -> list[Definition]:
    """Find the acronyms that a text defines, with their long forms.

    Most definitions use brackets, as in `machine learning (ML)` or `ML (machine learning)`. Others
    use phrases or punctuation, as in `ML stands for machine learning`. The text may be in any
    language. Each occurrence of an acronym has at most one definition, which is the one with the
    highest confidence. Runs in linear time.

    Args:
        text: Text of the document.
        threshold: Minimum confidence of a definition, 0 to 1.
        score: Function that returns the confidence of an acronym and a possible long form in
            brackets, 0 to 1. By default, a logistic regression with the packaged weights is used.

    Returns:
        The definitions, sorted by the position of the acronyms.
    """
    best: dict[Offsets, Definition] = {}
    for definition in _candidates(text, score):
        if definition.confidence >= threshold:
            rival = best.get(definition.acronym)
            if rival is None or definition.confidence > rival.confidence:
                best[definition.acronym] = definition
    return sorted(best.values())


def _candidates(text: str, score: Score) -> Iterator[Definition]:
    for site in bracket_sites(text):
        paired = pair(text, site, score)
        if paired:
            (long_form, _, ending), probability = paired
            yield from _split_pair(text, Definition(site.acronym, long_form, probability, ending))
    yield from phrase_definitions(text)


def _split_pair(text: str, definition: Definition) -> list[Definition]:
    """Split a definition of two acronyms, as in `Open Network Computing ... Call (ONC RPC)`.

    The definition is returned unchanged if some word gives no letter to either acronym.
    """
    match = _TWO.fullmatch(text, *definition.acronym)
    if not match:
        return [definition]
    begin, end = definition.long_form
    parts: list[Definition] = []
    for number in (2, 1):
        acronym = read_acronym(match[number])
        initials = initials_before(text, end, acronym) if acronym else None
        if not initials:
            return [definition]
        long_form = (initials.start, initials.end)
        parts.append(definition._replace(acronym=match.span(number), long_form=long_form))
        end = initials.start
    return parts if end == begin else [definition]


_UP: Final = r"[^\W\d_a-z]"  # a capital, or a letter of a caseless script
_ACRONYM: Final = rf"((?=\S{{0,6}}?{_UP}\S{{0,6}}?{_UP})[^\W_](?:[\w&-]|/(?=\w)){{1,14}})"
_QUOTE: Final = "[\"'“”‘’«»`*_]{0,3}"  # or marks of bold type in plain text
_CONFIDENCE: Final = {2: 0.75, 3: 0.9}  # confidence by the number of letters
_CONFIDENCE_OF_MORE: Final = 0.96

# A word with two such letters may be an acronym. Such words are much rarer than the marks next to
# them, such as commas, so the search looks for words first and then for marks.
_CAPITALS: Final = re.compile(r"[A-Z\x80-\U0010FFFF]\S{0,6}?[A-Z\x80-\U0010FFFF]\S*")

# A mark before an acronym, up to the acronym's first character.
_VERB: Final = "(?:known|referred to|called|termed|dubbed|abbreviated|shortened|denoted|designated)"
_ADVERB: Final = "(?:also|better|commonly|formerly|generally|often|otherwise|sometimes|usually)"
_CALLED: Final = (
    rf",? (?:(?:hereinafter|hereafter|henceforth|herein)(?:,? {_VERB})?|(?:{_ADVERB} )?{_VERB})"
    r"(?: (?:as|to|by))?(?: the)? "
)
_MARK_BEFORE: Final = re.compile(
    r"(?:, (?=(?:or|also|hence|thus|i\.e\.|ou|o|eller|oder)\s(?:simply\s)?\Z)"
    rf"| or (?=(?:simply\s)?\Z)| (?:-{{1,3}}|[–—]) (?=\Z)|{_CALLED}(?=\Z))"
)
_LONGEST_MARK: Final = 60  # maximum characters of a mark
# Endings of such a mark before the space, for a quick check.
_MARK_ENDS: Final = frozenset(
    ("or", "so", "ce", "us", "e.", "ou", "er", "ly", "ed", "as", "to", "by", "he", "th", "in", "--")
) | {" -", " –", " —", " o", "\no"}
_QUOTED: Final = re.compile(rf"{_QUOTE}{_ACRONYM}{_QUOTE}(?!\w)")
_CLOSED: Final = re.compile(rf"{_QUOTE}{_ACRONYM}{_QUOTE}(?=\s?(?:[,.;:)\]]|\Z))")
# Phrases after an acronym that announce its long form.
_EXPLAINS: Final = (
    r"(?:,? (?:which|that))?(?: (?:shall|will|should|is to))?"
    r" (?:stands? for|means?:?|denotes?|represents?|refers? to|abbreviates)"
    r"|(?:,? (?:which|that))? (?:is|are) (?:short|an? abbreviated form|(?:an?|the) "
    r"(?:acronym|abbreviation|initialism|short form)) (?:for|of)"
    r"|,(?: an?| the)? (?:acronym|abbreviation|initialism|short form|short) (?:for|of)"
    r"|,? (?:is|are) defined as|,? ha(?:s|ve|ving) the meaning of"
    r"|, (?:meaning|i\.e\.,?|that is,?|in full:?)|:? steht für|,? est l'abréviation de"
)
# A mark between an acronym and its long form. The acronym's word may end with it.
_MARK_AFTER: Final = re.compile(
    rf"\s?([:=\]] | (?:-{{1,3}}|[–—]|[-=]>|→|\.{{2,}}|…+) |(?:{_EXPLAINS}) )"
)
_SIGNS: Final = frozenset(":=]")
_STARTS: Final = ("st", "me", "de", "re", "is", "sh", "wi", "wh", "th", "ar", "ab", "ha", "es")
# The first two characters of such a mark, after a space.
_MARK_BEGINS: Final = frozenset(
    [": ", "= ", "] ", "- ", "– ", "— ", "--", "->", "=>", "→ ", "..", "… ", "……", *_STARTS]
) | {*(" -", " –", " —", " s", " i", " d", " m", " r")}
# The same after a comma.
_APPOSITION_BEGINS: Final = frozenset(["an", "a ", "th", "ac", "ab", "in", "sh", "me", "i.", "wh"])
_CLOSES: Final = ("", *",.;:)]")  # as in _CLOSED, after a space
_ENDS_WITH_ACRONYM: Final = re.compile(rf"(?<![\w-]){_QUOTE}{_ACRONYM}{_QUOTE}\s?\Z")
_LONGEST: Final = 20
# An entry of a list of abbreviations: `; ABC, alpha beta gamma; ...`.
_ENTRY: Final = re.compile(rf"{_ACRONYM}, ")
_ENTRY_SIGNS: Final = frozenset(";:")
# An entry of a legend without spaces: `IM=Interregnum, RP=Repair`.
_LEGEND: Final = re.compile(r"[(\[\"'“]*([^\W\d_](?:[\w&+-]|/(?=\w)){0,14})=(?=[^\W_])")
_LONGEST_BULLET: Final = 8  # maximum characters of a bullet
_SYMBOL: Final = re.compile(r"[^\W\d_]\Z")  # a single letter may also be a symbol in a formula
_NEXT_ENTRY: Final = re.compile(r"[,;]?\s+(?:and\s)?[^\W\d_]\w{0,9}\s?=\s?[^\W\d_]")
_ENTRY_BEFORE: Final = re.compile(r"=\s?[^\W\d_][^=]{2,60}[,;]?(?<!\s)\s+(?:and\s)?[(\[\"'“]*\Z")
_ENTRY_WITHIN: Final = 70  # number of characters that are searched for the previous entry
# The clause after an equals sign, up to the next mark or the next entry.
_CLAUSE: Final = re.compile(
    r"\s*([^\W\d_][^,;:.=()\[\]\n]{1,100}?)(?<!\s)\s*(?=[,;)\n]|\.(?:\s|\Z)|\Z|\s\S{1,16}\s?=)"
)


def phrase_definitions(text: str) -> Iterator[Definition]:
    """Find definitions marked by phrases or punctuation, as in `ML stands for machine learning`.

    Other examples are `machine learning, or ML,`, `ML: machine learning` and entries of lists.
    Every letter of the acronym must begin a word of the long form. A clause after an equals sign
    may also match as a whole. Runs in linear time.

    Args:
        text: Text of the document.

    Yields:
        The definitions. Several of them may define the same occurrence of an acronym.
    """
    for run in _CAPITALS.finditer(text):
        begin, end = run.span()
        word = run[0]
        while begin and not text[begin - 1].isspace():
            begin -= 1
        follows = text[end + 1 : end + 3]
        before = text[begin - 3 : begin - 1] if begin > 2 else text[: max(0, begin - 1)]
        last = before[-1:]
        if last == ",":
            if not word.isalnum() or follows[:1] in _CLOSES:
                yield from _before(text, begin, begin - 2, _CLOSED)
        elif before in _MARK_ENDS:
            mark = _MARK_BEFORE.search(text, max(0, begin - _LONGEST_MARK), begin)
            if mark:
                yield from _before(text, begin, mark.start(), _QUOTED)
        elif last == ":" and text[end : end + 1] in ("", "\n"):
            yield from _after_term(text, begin, end)
        elif last in _ENTRY_SIGNS and word[-1] == ",":
            entry = _ENTRY.match(text, begin)
            if entry:
                yield from _after(text, entry.end(), entry.span(1))
        if not begin or text[begin - 1] == "\n" or before[-1:] in BULLETS:
            yield from listed_definitions(text, begin, end)
        if "=" in word and "=" in word[:-1]:
            yield from _legend(text, begin)
            continue
        if word[-1] in _SIGNS:
            mark = _MARK_AFTER.match(text, end - 1)
        elif follows in _MARK_BEGINS and word[-1] != ",":
            mark = _MARK_AFTER.match(text, end)
        elif follows in _APPOSITION_BEGINS and word[-1] == ",":
            mark = _MARK_AFTER.match(text, end - 1)
        else:
            continue
        if mark:
            at, then = mark.span(1)
            acronym = _ENDS_WITH_ACRONYM.search(text, max(0, at - _LONGEST), at)
            if acronym:
                defined = list(_after(text, then, acronym.span(1)))
                if not defined and mark[1].strip() == "=":
                    defined = list(_entry(text, then, acronym.span(1)))
                yield from defined


def _before(text: str, begin: int, end: int, word: re.Pattern[str]) -> Iterator[Definition]:
    """Yield the definition of an acronym after its long form, as in `long form, or ABC`.

    The acronym starts at `begin`, where `word` must match, and the long form ends at `end`.
    """
    match = word.match(text, begin)
    acronym = match and read_acronym(match[1])
    if match and acronym and len(acronym.letters) > 1:
        initials = initials_before(text, end, acronym)
        if initials:
            long_form = (initials.start, initials.end)
            yield Definition(match.span(1), long_form, _confidence(initials.steps))


def _after_term(text: str, begin: int, end: int) -> Iterator[Definition]:
    """Yield a definition like `long form: ABC` if it is alone in a line or list item."""
    for definition in _before(text, begin, text.rindex(":", 0, begin), _QUOTED):
        start = definition.long_form[0]
        line = text.rfind("\n", 0, start) + 1
        if start - line <= _LONGEST_BULLET and not any(map(str.isalpha, text[line:start])):
            yield definition


def _after(text: str, begin: int, span: Offsets) -> Iterator[Definition]:
    """Yield the definition of an acronym before its long form, as in `ABC stands for long form`.

    The long form follows the offset `begin`, and `span` has the offsets of the acronym.
    """
    acronym = read_acronym(text[slice(*span)])
    if acronym and len(acronym.letters) > 1:
        initials = initials_after(text, begin, acronym)
        if initials:
            long_form = (initials.start, initials.end)
            yield Definition(span, long_form, _confidence(initials.steps))


def _legend(text: str, begin: int) -> Iterator[Definition]:
    """Yield a definition like `ABC=alpha beta`. A single letter needs another entry next to it."""
    entry = _LEGEND.match(text, begin)
    if not entry:
        return
    definitions = [*_after(text, entry.end(), entry.span(1))] or [
        *_entry(text, entry.end(), entry.span(1))
    ]
    for definition in definitions:
        left = max(0, entry.start(1) - _ENTRY_WITHIN)
        if (
            not _SYMBOL.match(entry[1])
            or _NEXT_ENTRY.match(text, definition.long_form[1])
            or _ENTRY_BEFORE.search(text, left, entry.start(1))
        ):
            yield definition


def _entry(text: str, begin: int, span: Offsets) -> Iterator[Definition]:
    """Yield a definition like `ABC = long form;` if the whole clause aligns with the acronym."""
    clause = _CLAUSE.match(text, begin)
    if clause and text[span[0]].lower() == clause[1][0].lower():
        pairings = possible_pairings(text, Site(span, "short = long", *clause.span(1), False))
        if pairings and pairings[-1].place == clause.span(1) and pairings[-1].seen.steps[0] == "W":
            yield Definition(span, clause.span(1), _CONFIDENCE[2])


def _confidence(steps: str) -> float:
    letters = steps.count("W") + steps.count("P")
    return _CONFIDENCE.get(letters, _CONFIDENCE_OF_MORE)


_CONFIDENCE_BEFORE: Final = 0.9
_CONFIDENCE_NEARBY: Final = {3: 0.6}  # confidence by the number of letters
_CONFIDENCE_NEARBY_OF_MORE: Final = 0.8
_FEWEST: Final = 3  # minimum words of a long form elsewhere in the sentence
_LONG: Final = 4  # minimum letters of each word of a two-word long form
_REACH: Final = 60  # maximum characters between an acronym and words without capitals
_WIDEST: Final = 160  # characters on either side of an acronym that are searched
_SENTENCE_END: Final = re.compile(r"[.!?;]\s|\n\s*\n")


def find_unmarked(
    text: str, acronyms: Iterable[Offsets], definitions: Iterable[Definition] = ()
) -> list[Definition]:
    """Find long forms that no phrase or punctuation marks, as in `neural networks NN`.

    Each letter of the acronym must begin a word of the long form. Further conditions avoid chance
    matches:

    - A long form directly before the acronym needs four letters. Three are enough if all of its
      words are capitalized, and two if these words are also long.
    - A long form elsewhere in the sentence of the acronym's first mention needs three letters. It
      must not contain a function word such as "the".

    Args:
        text: Text of the document.
        acronyms: Character offsets of the acronyms in the text.
        definitions: Definitions that were already found by brackets, phrases or punctuation.
            Acronyms that they define are skipped.

    Returns:
        The definitions whose long form is directly before the acronym, in the order of `acronyms`,
        followed by all other definitions.
    """
    marked = [*definitions]
    defined = {text[slice(*definition.acronym)] for definition in marked}
    adjacent = []
    others: dict[str, Offsets] = {}
    for span in acronyms:
        written = text[slice(*span)]
        joined = "/" in (text[span[0] - 1 : span[0]], text[span[1] : span[1] + 1])  # GC/MSD
        acronym = None if joined or written in defined else read_acronym(written)
        if acronym is None:
            continue
        before = initials_before(text, span[0], acronym)
        if before is None:
            others.setdefault(written, span)
            continue
        words = text[before.start : before.end].split()
        letters = before.steps.count("W") + before.steps.count("P")
        capitals = all(word[0].isupper() for word in words)
        if (
            letters > 3
            or (letters == 3 and capitals)
            or (before.steps == "WW" and capitals and min(map(len, words)) >= _LONG)
        ):
            adjacent.append(Definition(span, (before.start, before.end), _CONFIDENCE_BEFORE))
        else:
            others.setdefault(written, span)
    for definition in adjacent:
        others.pop(text[slice(*definition.acronym)], None)
    return [*adjacent, *_nearby(text, others.values(), [*marked, *adjacent])]


def _nearby(
    text: str, acronyms: Iterable[Offsets], definitions: list[Definition]
) -> Iterator[Definition]:
    """Yield definitions whose long form is elsewhere in the sentence of the acronym.

    A long form that overlaps the long form of another definition is skipped.
    """
    taken = sorted(definition.long_form for definition in definitions)
    for span in acronyms:
        if len(initials_of(text[slice(*span)])) < _FEWEST:
            continue
        begin = max(0, span[0] - _WIDEST)
        window = text[begin : span[1] + _WIDEST]
        for definition in find_initials(window, [(span[0] - begin, span[1] - begin)]):
            start, end = (begin + at for at in definition.long_form)
            at = bisect_left(taken, (start, end))
            free = (at == len(taken) or taken[at][0] >= end) and (
                at == 0 or taken[at - 1][1] <= start
            )
            gap = (end, span[0]) if end <= span[0] else (span[1], start)
            words = re.split(r"[\s-]+", text[start:end])
            reach = _WIDEST if all(word[0].isupper() for word in words) else _REACH
            if (
                free
                and gap[0] <= gap[1]  # not "FSO still owes"
                and len(words) >= _FEWEST
                and gap[1] - gap[0] <= reach
                and not _SENTENCE_END.search(text, *gap)
                and not any(word.lower() in FUNCTION_WORDS for word in words)
            ):
                confidence = _CONFIDENCE_NEARBY.get(len(words), _CONFIDENCE_NEARBY_OF_MORE)
                yield Definition(span, (start, end), confidence)
                break
