"""How an acronym's letters come from the words of a long form, at the least cost.

One alignment takes the place of an ordered list of strategies: each way in which a letter is found
or missed, and a word is used or left out, has its price, and the cheapest whole is the answer.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Final, NamedTuple

from .acronym import Acronym, read_acronym
from .tokens import JOINING_WORDS, Token, fold, tokens_of

# The steps of an alignment and what each costs.
COST: Final = {
    "W": 0.1,  # a letter begins a word
    "P": 0.16,  # a letter begins a part of a word: after a hyphen, a slash
    "F": 0.8,  # the same, of the acronym's first letter
    "n": 0.2,  # a letter directly after another one of its word
    "i": 0.5,  # a letter further inside a word
    "x": 1.0,  # the first letter found in a word does not begin it
    "c": 0.5,  # instead of these two where the word is so long that it may be a compound
    "X": 2.7,  # the same, of the acronym's first letter
    "o": 1.0,  # a digit, missing in its place, begins the word before the others
    "s": 0.3,  # a short word left out, such as "of", in any language
    "m": 0.5,  # a word of four letters left out
    "w": 1.6,  # a longer word left out
    "p": 0.5,  # a part of a word left out
    "d": 0.65,  # a digit of the acronym is missing
    "?": 2.4,  # another letter is missing
    "-": 0.25,  # the plural's "s" of the acronym is missing
}
LEFT_OUT: Final = "smwp"
INITIAL: Final = frozenset("WPsp-")

_SKIP_BY_LENGTH: Final = "ssssmw"
_SYMBOLS: Final = {
    word: str(number)
    for words in (
        "one two three four five six seven eight nine",
        "first second third fourth fifth sixth seventh eighth ninth",
        "i ii iii iv v vi vii viii ix",
        "mono di tri tetra penta hexa hepta octa nona",
    )
    for number, word in enumerate(words.split(), 1)
}
_COMPOUND: Final = 17  # characters
DIPHTHONGS: Final = ("oe", "ae")  # of "oestradiol (E2)"
_NUMBER_WITHIN: Final = 2  # tokens before the others, in which a number that was missing may stand
_NEVER: Final = float("inf")


class Alignment(NamedTuple):
    """The cheapest way to read an acronym in the words that end a stretch of text."""

    cost: float
    first: Token  # the long form begins with it
    steps: str  # keys of COST, from left to right


def align(
    acronym: Acronym,
    tokens: Iterable[Token],
    most: int,
    limit: float,
    margin: float = 0.0,
    partial: bool = False,
) -> list[Alignment]:
    """The alignments with the nearest tokens that cost less than `limit`, the shortest first.

    `tokens` come from right to left; `most` of them are read, fewer when the cost forbids more. For
    each first token there is the cheapest alignment, and none costs `margin` more than a shorter
    one; the last is the cheapest where `margin` is 0. With `partial` letters after the first may be
    missing from the words. Time grows as letters times tokens.
    """
    letters = acronym.letters
    count = len(letters)
    found: list[tuple[int, float, str]] = []
    passed: list[Token] = []
    # By the letters still to read: cost and steps so far.
    costs = [_NEVER] * count + [0.0]
    steps = [""] * (count + 1)
    missable = _missable(acronym, partial)
    _miss(missable, costs, steps, limit)
    stretch = iter(tokens)
    for token in stretch:
        passed.append(token)
        if not _read(letters, token, costs, steps, limit) or len(passed) > most:
            break
        _miss(missable, costs, steps, limit)
        if costs[0] < limit:
            limit = min(limit, costs[0] + margin)
            found.append((len(passed) - 1, costs[0], steps[0]))
        costs[0] = _NEVER
    if not letters.isalpha():
        passed.extend(islice(stretch, _NUMBER_WITHIN))
    return [
        _reorder(letters, passed[begin + 1 : begin + 1 + _NUMBER_WITHIN], one)
        if "d" in path
        else one
        for begin, cost, path in found
        if cost < limit or not margin
        for one in (Alignment(cost, passed[begin], path),)
    ]


def has_initials(short: str, long_form: str) -> bool:
    """Whether words of a long form, or parts of them, begin with the acronym's letters, in order.

    The first word must be one of them, and short words and parts of words alone are left out.
    """
    acronym = read_acronym(short)
    tokens = tokens_of(long_form, 0)
    if acronym is None or not tokens:
        return False
    limit = sum(COST[step] for step in INITIAL) * len(tokens)  # enough for any of these steps
    return any(
        one.first is tokens[0] and set(one.steps) <= INITIAL
        for one in align(acronym, reversed(tokens), len(tokens), limit)
    )


def spells(short: str, long_form: str) -> bool:
    """Whether a long form, from its first word on, has all of the acronym's letters in order.

    It is not the acronym itself, and has at most as many words more as it has letters.
    """
    acronym, tokens = read_acronym(short), tokens_of(long_form, 0)
    if acronym is None or not tokens or fold(long_form) == fold(short):
        return False
    count = len(acronym.letters)
    if len(tokens) > 2 * count + 1:
        return False
    found = align(acronym, reversed(tokens), len(tokens), count)
    return any(one.first is tokens[0] and "?" not in one.steps for one in found)


def _read(letters: str, token: Token, costs: list[float], steps: list[str], limit: float) -> bool:
    """Turn costs and steps after a token into those before it; whether any is below the limit."""
    word, is_first = token.text, token.is_first
    skip = _SKIP_BY_LENGTH[min(len(word), 5)] if is_first else "p"
    if skip == "m" and word in JOINING_WORDS:
        skip = "s"
    price = COST[skip]
    further = "c" if len(word) >= _COMPOUND else "i"
    symbol = _SYMBOLS.get(word, "")
    count = len(letters)
    alive = False
    for i in range(count + 1):
        best, path = costs[i] + price, ""
        at = -1
        if i < count:
            letter = letters[i]
            at = word.find(letter)
            if (at < 0 and symbol == letter) or (at == 1 and word[:2] in DIPHTHONGS):
                at = 0
        if at >= 0:
            if at:
                step = "X" if i == 0 else "c" if further == "c" else "x"
            else:
                step = "W" if is_first else "F" if i == 0 else "P"
            spent, taken = COST[step], step
            k = i + 1
            while True:
                total = costs[k] + spent
                if total <= best and total < limit:
                    best, path = total, taken + steps[k]
                if k == count:
                    break
                found = word.find(letters[k], at + 1)
                if found < 0:
                    break
                step = "n" if found == at + 1 else further
                spent += COST[step]
                taken += step
                at = found
                k += 1
        if best < limit:
            costs[i], steps[i] = best, path or skip + steps[i]
            alive = True
        else:
            costs[i] = _NEVER
    return alive


def _missable(acronym: Acronym, partial: bool) -> list[tuple[int, str]]:
    """Which letters may be missing, counted from 1, the last first, and the step that says so.

    Digits and a plural's "s" may, with `partial` any letter but the first.
    """
    letters = acronym.letters
    if letters.isalpha() and not acronym.plural and not partial:
        return []
    count = len(letters)
    found = []
    for i in range(count, 0, -1):
        letter = letters[i - 1]
        if letter.isdigit():
            found.append((i, "d"))
        elif acronym.plural and i == count:
            found.append((i, "-"))
        elif partial and i > 1:
            found.append((i, "?"))
    return found


def _miss(
    missable: list[tuple[int, str]], costs: list[float], steps: list[str], limit: float
) -> None:
    """Let letters be missing."""
    for i, step in missable:
        cost = costs[i] + COST[step]
        if cost < limit and cost < costs[i - 1]:
            costs[i - 1], steps[i - 1] = cost, step + steps[i]


def _reorder(letters: str, before: list[Token], found: Alignment) -> Alignment:
    """The alignment with a word before it, if that one is the number that was missing."""
    read = [step for step in found.steps if step not in LEFT_OUT]
    number = "".join(c for c, step in zip(letters, read, strict=True) if step == "d")
    for skipped, token in enumerate(before):
        if token.text == number or _SYMBOLS.get(token.text) == number:
            steps = "o" + "w" * skipped + found.steps.replace("d", "")
            return Alignment(sum(map(COST.__getitem__, steps)), token, steps)
    return found
