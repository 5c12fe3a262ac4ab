"""Align the letters of an acronym with the words of a possible long form.

Each way to match a letter, to leave a letter unmatched or to skip a word has a cost. The alignment
with the lowest total cost is the best.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Final, NamedTuple

from .acronym import Acronym, read_acronym
from .tokens import JOINING_WORDS, Token, fold, tokens_of

# The steps of an alignment and their costs.
COST: Final = {
    "W": 0.1,  # a letter begins a word
    "P": 0.16,  # a letter begins a part of a word: after a hyphen, a slash
    "F": 0.8,  # like "P", for the acronym's first letter
    "n": 0.2,  # a letter directly after another matched letter of its word
    "i": 0.5,  # a letter further inside a word
    "x": 1.0,  # the first letter matched in a word does not begin the word
    "c": 0.5,  # replaces "i" and "x" in words so long that they may be compounds
    "X": 2.7,  # like "x", for the acronym's first letter
    "o": 1.0,  # a digit that is missing in its place begins the word before the others
    "s": 0.3,  # a short word such as "of" is skipped, in any language
    "m": 0.5,  # a word of four letters is skipped
    "w": 1.6,  # a longer word is skipped
    "p": 0.5,  # a part of a word is skipped
    "d": 0.65,  # a digit of the acronym is missing
    "?": 2.4,  # another letter is missing
    "-": 0.25,  # the acronym's plural "s" is missing
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
_COMPOUND: Final = 17  # minimum characters of a word that may be a compound
DIPHTHONGS: Final = ("oe", "ae")  # of "oestradiol (E2)"
_NUMBER_WITHIN: Final = 2  # tokens before the alignment that may hold a missing number
_NEVER: Final = float("inf")


class Alignment(NamedTuple):
    """An alignment of an acronym's letters with the last words of a text.

    Attributes:
        cost: Sum of the costs of all steps. A lower cost means a more plausible long form.
        first: The token with which the long form begins.
        steps: The steps of the alignment from left to right, as a string of keys of `COST`. For
            example, ``WsW`` matches two words and skips a short word between them.
    """

    cost: float
    first: Token
    steps: str


def align(
    acronym: Acronym,
    tokens: Iterable[Token],
    most: int,
    limit: float,
    margin: float = 0.0,
    partial: bool = False,
) -> list[Alignment]:
    """Find the alignments with the lowest costs between an acronym and the words that end a text.

    For each token at which the long form may begin, only the cheapest alignment is considered. The
    running time is proportional to the number of letters times the number of tokens.

    Args:
        acronym: The acronym, as returned by `read_acronym`.
        tokens: Tokens of the text, from right to left.
        most: Maximum number of tokens to read. Reading stops earlier if no alignment can stay below
            the limit.
        limit: Upper bound of the cost of an alignment (exclusive).
        margin: How much more a longer alignment may cost than a shorter one. With 0, each returned
            alignment is cheaper than all shorter ones, so the last is the cheapest.
        partial: Whether any letter except the first may be missing from the words.

    Returns:
        The alignments, sorted by ascending length of the long form. The list is empty if no
        alignment is cheaper than `limit`.
    """
    letters = acronym.letters
    count = len(letters)
    matches: list[tuple[int, float, str]] = []
    seen: list[Token] = []
    # Costs and steps so far, indexed by the number of letters that are still unmatched.
    costs = [_NEVER] * count + [0.0]
    steps = [""] * (count + 1)
    missable = _missable(acronym, partial)
    _miss(missable, costs, steps, limit)
    remaining = iter(tokens)
    for token in remaining:
        seen.append(token)
        if not _read(letters, token, costs, steps, limit) or len(seen) > most:
            break
        _miss(missable, costs, steps, limit)
        if costs[0] < limit:
            limit = min(limit, costs[0] + margin)
            matches.append((len(seen) - 1, costs[0], steps[0]))
        costs[0] = _NEVER
    if not letters.isalpha():
        seen.extend(islice(remaining, _NUMBER_WITHIN))
    return [
        _reorder(letters, seen[begin + 1 : begin + 1 + _NUMBER_WITHIN], alignment)
        if "d" in path
        else alignment
        for begin, cost, path in matches
        if cost < limit or not margin
        for alignment in (Alignment(cost, seen[begin], path),)
    ]


def has_initials(short: str, long_form: str) -> bool:
    """Return whether the words of a long form begin with the letters of an acronym.

    The letters must occur in order, and the first word must give a letter. A letter may also begin
    a part of a hyphenated word. Only short words, such as "of", and parts of words may be skipped.
    For example, the result is True for ``NLP`` and "natural language processing", but False for
    ``DNA`` and "deoxyribonucleic acid".

    Args:
        short: The acronym as written.
        long_form: The long form to compare with it.
    """
    acronym = read_acronym(short)
    tokens = tokens_of(long_form, 0)
    if acronym is None or not tokens:
        return False
    limit = sum(COST[step] for step in INITIAL) * len(tokens)  # enough for any of these steps
    return any(
        alignment.first is tokens[0] and set(alignment.steps) <= INITIAL
        for alignment in align(acronym, reversed(tokens), len(tokens), limit)
    )


def spells(short: str, long_form: str) -> bool:
    """Return whether a long form contains the letters of an acronym in order.

    The letters may be inside words, as in "deoxyribonucleic acid" for ``DNA``, but the first word
    must give the first letter. Digits and a plural ``s`` of the acronym may be missing. The long
    form must differ from the acronym, and must not have more than ``2 * letters + 1`` words.

    Args:
        short: The acronym as written.
        long_form: The long form to compare with it.
    """
    acronym, tokens = read_acronym(short), tokens_of(long_form, 0)
    if acronym is None or not tokens or fold(long_form) == fold(short):
        return False
    count = len(acronym.letters)
    if len(tokens) > 2 * count + 1:
        return False
    alignments = align(acronym, reversed(tokens), len(tokens), count)
    return any(
        alignment.first is tokens[0] and "?" not in alignment.steps for alignment in alignments
    )


def _read(letters: str, token: Token, costs: list[float], steps: list[str], limit: float) -> bool:
    """Update the costs and steps for one more token.

    The result tells whether any alignment still costs less than the limit.
    """
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
                following = word.find(letters[k], at + 1)
                if following < 0:
                    break
                step = "n" if following == at + 1 else further
                spent += COST[step]
                taken += step
                at = following
                k += 1
        if best < limit:
            costs[i], steps[i] = best, path or skip + steps[i]
            alive = True
        else:
            costs[i] = _NEVER
    return alive


def _missable(acronym: Acronym, partial: bool) -> list[tuple[int, str]]:
    """Return the letters of an acronym that a long form may lack, from the last to the first.

    Digits and a plural "s" may be missing. If `partial` is True, any letter except the first may be
    missing. Each item contains the letter's number, counted from 1, and the key of `COST` for its
    omission.
    """
    letters = acronym.letters
    if letters.isalpha() and not acronym.plural and not partial:
        return []
    count = len(letters)
    letters_and_steps = []
    for i in range(count, 0, -1):
        letter = letters[i - 1]
        if letter.isdigit():
            letters_and_steps.append((i, "d"))
        elif acronym.plural and i == count:
            letters_and_steps.append((i, "-"))
        elif partial and i > 1:
            letters_and_steps.append((i, "?"))
    return letters_and_steps


def _miss(
    missable: list[tuple[int, str]], costs: list[float], steps: list[str], limit: float
) -> None:
    """Update the costs and steps where it is cheaper to leave a letter unmatched."""
    for i, step in missable:
        cost = costs[i] + COST[step]
        if cost < limit and cost < costs[i - 1]:
            costs[i - 1], steps[i - 1] = cost, step + steps[i]


def _reorder(letters: str, before: list[Token], alignment: Alignment) -> Alignment:
    """Add a missing number to an alignment if one of the words before it is that number.

    An example is "two-dimensional (D2)", where the number comes first in the long form.
    """
    read = [step for step in alignment.steps if step not in LEFT_OUT]
    number = "".join(c for c, step in zip(letters, read, strict=True) if step == "d")
    for skipped, token in enumerate(before):
        if token.text == number or _SYMBOLS.get(token.text) == number:
            steps = "o" + "w" * skipped + alignment.steps.replace("d", "")
            return Alignment(sum(map(COST.__getitem__, steps)), token, steps)
    return alignment
