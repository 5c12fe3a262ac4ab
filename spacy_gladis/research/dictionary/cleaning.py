"""What is mined but no long form goes; each rule looks at an acronym's long forms together.

A definition in brackets is cut by its letters alone, so that a cut may be too short ("tachypnea of
the newborn" for TTN) or too long ("magnetic resonance imaging scan"), or be chance ("food safety"
for FDA). What a list has that people wrote is trusted and stays.
"""

import re
from collections.abc import Callable

from ...dictionary.builder import is_plausible
from ...dictionary.noise import noise
from .meaning import Meaning, letter_cost

WELL = 0.3  # cost a letter: nearly all letters begin words
FITTING = 0.5  # cost a letter that is still likely no chance
FREQUENT = 5  # documents; so often no chance repeats itself
SMALL = 10  # times as frequent a long form is as what is a cut of it
MISSPELT = 50  # times as frequent a spelling is as its misspelling, and its words as theirs

_WORD = re.compile(r"[^\W_]+")
_BROKEN = re.compile("[^\\W\\d_][?\ufffd][^\\W\\d_]|\ufffd")
"""A sign that was lost: "Children?s Hospital"."""
_TRAILING = re.compile(r"(?:\s+(?:in|of|since|from))?\s+(?:1[89]|20)\d\d\Z")


def clean(
    acronym: str, meanings: list[Meaning], frequency: Callable[[list[str]], int]
) -> list[Meaning]:
    """The long forms of an acronym without what is none; counts of cuts go to what they cut.

    `frequency` says how often the rarest of some words was seen.
    """
    kept = [one for one in meanings if one.trusted or _is_form(acronym, one)]
    kept.sort(key=lambda one: (-one.total, one.key))
    return _without_misspelt(_without_cuts(acronym, kept), frequency)


def _is_form(acronym: str, meaning: Meaning) -> bool:
    """Whether a mined long form by itself may be one."""
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
    """Without long forms that are another one with words more or fewer at an end."""
    words = {one.key: tuple(_WORD.findall(one.form.lower())) for one in meanings}
    by_words: dict[tuple[str, ...], Meaning] = {}
    for one in meanings:
        by_words.setdefault(words[one.key], one)
    gone: set[str] = set()
    for long in meanings:
        own = words[long.key]
        for short in _parts(own, by_words):
            if short is long or short.key in gone or long.key in gone:
                continue
            keep, drop = _judge(acronym, long, short, own, len(words[short.key]))
            if drop and not drop.trusted:
                keep.chosen = keep.form  # however often the cut was seen
                keep.join(drop)
                gone.add(drop.key)
    return [one for one in meanings if one.key not in gone]


def _parts(words: tuple[str, ...], known: dict[tuple[str, ...], Meaning]) -> list[Meaning]:
    """The known long forms that begin or end a longer one."""
    cuts = [words[:end] for end in range(1, len(words))]
    cuts += [words[begin:] for begin in range(1, len(words))]
    return [known[cut] for cut in cuts if cut in known]


def _judge(
    acronym: str, long: Meaning, short: Meaning, words: tuple[str, ...], kept: int
) -> tuple[Meaning, Meaning | None]:
    """Which of two to keep, and which to drop, if any.

    words: of the long one, of which the short one has `kept`.
    """
    costs = letter_cost(acronym, long.form), letter_cost(acronym, short.form)
    if costs[0] + 0.05 < costs[1] and long.total * SMALL >= short.total:
        return long, short  # the letters want the words that are missing
    front = words[0].startswith(acronym[0].lower()) and not short.form.lower().startswith(words[0])
    if front and long.trusted and costs[0] <= FITTING:
        return long, short  # people wrote it with the words that the cut lacks in front
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
    """Without misspellings: a letter or two off a frequent long form, in a word that is rare."""
    kept: list[Meaning] = []
    for one in meanings:  # the most frequent first
        right = None if one.trusted else _misspelt(one, kept, frequency)
        if right:
            right.join(one)
        else:
            kept.append(one)
    return kept


def _misspelt(
    wrong: Meaning, known: list[Meaning], frequency: Callable[[list[str]], int]
) -> Meaning | None:
    """The frequent long form that another one misspells, if any."""
    from rapidfuzz.distance import Levenshtein

    form = wrong.form.lower()
    for right in known:
        if right.total < MISSPELT * wrong.total:
            return None
        other = right.form.lower()
        if abs(len(form) - len(other)) > 2 or _digits(form) != _digits(other):
            continue
        if Levenshtein.distance(form, other, score_cutoff=2) <= 2:
            words, others = set(_WORD.findall(form)), set(_WORD.findall(other))
            rare, usual = sorted(words - others), sorted(others - words)
            if rare and usual and MISSPELT * frequency(rare) <= frequency(usual):
                return right
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
    """Whether a long form reads as a person's name, such as "Christopher Woodrow"."""
    match = _NAME.fullmatch(long_form)
    return match is not None and match[1].lower() in _GIVEN
