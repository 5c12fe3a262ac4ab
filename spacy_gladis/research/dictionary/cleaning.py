"""Removal of mined phrases that are not long forms, by comparing the long forms of an acronym.

Mining finds long forms only by their letters, so it makes mistakes. A phrase may be too short
("tachypnea of the newborn" for TTN), too long ("magnetic resonance imaging scan" for MRI) or a
coincidence ("food safety" for FDA). Entries of lists that people wrote are always kept.
"""

import re
from collections.abc import Callable

from ...dictionary.builder import is_plausible
from ...dictionary.noise import noise
from .meaning import Meaning, letter_cost

WELL = 0.3  # cost per letter: nearly all letters begin words
FITTING = 0.5  # cost per letter that is unlikely to be a coincidence
FREQUENT = 5  # documents; coincidences are less frequent
SMALL = 10  # minimum ratio of a long form to its cut, in frequency
MISSPELT = 50  # minimum ratio to a misspelling, in the frequency of forms and words

_WORD = re.compile(r"[^\W_]+")
_BROKEN = re.compile("[^\\W\\d_][?\ufffd][^\\W\\d_]|\ufffd")
"""Matches a character that was lost in a conversion, as in "Children?s Hospital"."""
_TRAILING = re.compile(r"(?:\s+(?:in|of|since|from))?\s+(?:1[89]|20)\d\d\Z")


def clean(
    acronym: str, meanings: list[Meaning], frequency: Callable[[list[str]], int]
) -> list[Meaning]:
    """Remove the mined phrases that are not valid long forms of an acronym.

    The counts of a phrase with missing or additional words are added to the correct long form, and
    so are those of a misspelling. Long forms from lists that people wrote are never removed.

    Args:
        acronym: Acronym whose long forms are cleaned, such as ``"CT"``.
        meanings: All long forms of the acronym, valid or not. Their counts are updated in place.
        frequency: Function that takes words and returns how often the rarest of them occurs.

    Returns:
        The valid long forms, sorted from the most to the least frequent one.
    """
    kept = [meaning for meaning in meanings if meaning.trusted or _is_form(acronym, meaning)]
    kept.sort(key=lambda meaning: (-meaning.total, meaning.key))
    return _without_misspelt(_without_cuts(acronym, kept), frequency)


def _is_form(acronym: str, meaning: Meaning) -> bool:
    """Return whether a mined phrase can be a long form, judged by its own letters and count."""
    form = meaning.form
    total = meaning.total
    reason = noise(form)
    if reason and not (reason == "few letters" and total >= FREQUENT):
        return False
    if not is_plausible(acronym, (form, {"": total})):
        return False
    if _BROKEN.search(form):
        return False
    if _TRAILING.search(form) and not acronym[-1].isdigit():
        return False
    letters = "".join(filter(str.isalpha, acronym)).lower()
    words = _WORD.findall(form)
    if len(words) == 1 and form.lower().startswith(letters) and total < FREQUENT:
        return False  # "Mrihani" for MRI
    if total < FREQUENT and is_person(form):
        return False
    cost = letter_cost(acronym, form)
    return cost <= FITTING or (total >= FREQUENT and cost <= 3 * FITTING)


def _without_cuts(acronym: str, meanings: list[Meaning]) -> list[Meaning]:
    """Remove long forms that differ from another one only by words added or missing at an end.

    For example, "tachypnea of the newborn" is removed if TTN also has the long form "transient
    tachypnea of the newborn".
    """
    words = {meaning.key: tuple(_WORD.findall(meaning.form.lower())) for meaning in meanings}
    by_words: dict[tuple[str, ...], Meaning] = {}
    for meaning in meanings:
        by_words.setdefault(words[meaning.key], meaning)
    gone: set[str] = set()
    for long in meanings:
        long_words = words[long.key]
        for short in _parts(long_words, by_words):
            if short is long or short.key in gone or long.key in gone:
                continue
            keep, drop = _judge(acronym, long, short, long_words, len(words[short.key]))
            if drop and not drop.trusted:
                keep.chosen = keep.form  # even if the cut is more frequent
                keep.join(drop)
                gone.add(drop.key)
    return [meaning for meaning in meanings if meaning.key not in gone]


def _parts(words: tuple[str, ...], meanings: dict[tuple[str, ...], Meaning]) -> list[Meaning]:
    """Return the long forms that a longer one begins or ends with."""
    cuts = [words[:end] for end in range(1, len(words))]
    cuts += [words[begin:] for begin in range(1, len(words))]
    return [meanings[cut] for cut in cuts if cut in meanings]


def _judge(
    acronym: str, long: Meaning, short: Meaning, words: tuple[str, ...], kept: int
) -> tuple[Meaning, Meaning | None]:
    """Decide which of two long forms is correct, if one begins or ends with the other.

    `words` are the words of the longer one, and `kept` is the number of words of the shorter one.
    Returns the long form to keep, and the one to remove, or None if both are valid.
    """
    costs = letter_cost(acronym, long.form), letter_cost(acronym, short.form)
    if costs[0] + 0.05 < costs[1] and long.total * SMALL >= short.total:
        return long, short  # letters need the missing words
    front = words[0].startswith(acronym[0].lower()) and not short.form.lower().startswith(words[0])
    if front and long.trusted and costs[0] <= FITTING:
        return long, short  # people wrote the leading words that the cut lacks
    if costs[1] <= costs[0]:
        tail = words[kept:]
        if costs[1] <= WELL and len(tail) == 2 and tail[0] == "and":
            return (long, short) if long.total > short.total else (short, long)
        if long.total * SMALL <= short.total:
            return short, long
    return short, None


def _without_misspelt(
    meanings: list[Meaning], frequency: Callable[[list[str]], int]
) -> list[Meaning]:
    """Merge rare misspellings into the frequent long form that differs by one or two letters."""
    kept: list[Meaning] = []
    for meaning in meanings:  # the most frequent first
        correct = None if meaning.trusted else _misspelt(meaning, kept, frequency)
        if correct:
            correct.join(meaning)
        else:
            kept.append(meaning)
    return kept


def _misspelt(
    meaning: Meaning, meanings: list[Meaning], frequency: Callable[[list[str]], int]
) -> Meaning | None:
    """Return the frequent long form of which another one is a misspelling, or None."""
    from rapidfuzz.distance import Levenshtein

    form = meaning.form.lower()
    for correct in meanings:
        if correct.total < MISSPELT * meaning.total:
            return None
        correct_form = correct.form.lower()
        if abs(len(form) - len(correct_form)) > 2 or _digits(form) != _digits(correct_form):
            continue
        if Levenshtein.distance(form, correct_form, score_cutoff=2) <= 2:
            words, correct_words = set(_WORD.findall(form)), set(_WORD.findall(correct_form))
            rare, usual = sorted(words - correct_words), sorted(correct_words - words)
            if rare and usual and MISSPELT * frequency(rare) <= frequency(usual):
                return correct
    return None


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


_NAME = re.compile(
    r"([A-Z][a-z]+)(?: [A-Z]\.?| [A-Z][a-z]+)? (?:van |von |de |Mc|Mac|O')?[A-Z][a-z]+"
)
_NAMES = """
aaron adam adrian alan albert alex alexander alexandra alfred alice alison allen amanda amy andrea
andreas andrew angela anita ann anna anne annie anthony antonio arthur barbara benjamin bernard
beth betty bill bob brian bruce carl carlos carol caroline catherine charles charlotte chris
christian christina christine christopher claire clara craig cynthia dan daniel david deborah
dennis diana diane donald donna dorothy douglas edgar edward edwin elaine eleanor elizabeth ellen
emily emma eric ernest eugene eva evelyn fiona frances francis frank fred frederick gabriel gary
geoffrey george gerald gordon grace graham greg gregory hannah harold harry heather helen henry
herbert howard hugh hugo ian irene isaac isabella jack jacob jacqueline james jane janet jason
jean jeff jeffrey jennifer jeremy jerry jessica jim joan joe john jonathan jose joseph joshua juan
judith judy julia julian julie karen karl kate katherine kathleen keith kelly ken kenneth kevin
larry laura lauren lawrence leonard leslie lewis linda lisa louis louise lucas lucy luis luke
margaret maria marie marilyn mark martha martin mary matthew maurice max megan melissa michael
michelle miguel mike nancy natalie nathan neil nicholas nick nicole nigel norman oliver oscar
pamela patricia patrick paul paula pedro peter philip phillip rachel ralph raymond rebecca richard
rita robert robin roger ronald rose roy russell ruth ryan sally sam samantha samuel sandra sara
sarah scott sean sharon sheila shirley simon sophia sophie stanley stephanie stephen steve steven
stuart susan suzanne sylvia teresa theodore theresa thomas timothy tina todd tom tony tracy
valerie vanessa victor victoria vincent virginia walter wayne wendy william yvonne zachary
"""
_GIVEN = frozenset(_NAMES.split())


def is_person(long_form: str) -> bool:
    """Return whether a mined phrase looks like the name of a person, such as "Christopher Woodrow".

    Names are recognized by a common given name, followed by capitalized words.

    Args:
        long_form: The phrase that was mined as a long form.

    Returns:
        True if the whole phrase looks like a name.
    """
    match = _NAME.fullmatch(long_form)
    return match is not None and match[1].lower() in _GIVEN
