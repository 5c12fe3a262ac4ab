"""Estimate how likely an acronym and a possible long form are a definition.

The model is a logistic regression over properties of the pair, such as how each letter was matched.
"""

import json
import math
import re
from functools import cache, lru_cache
from typing import Final, NamedTuple

from ..files import DATA
from .acronym import Acronym
from .alignment import COST, INITIAL, LEFT_OUT
from .bracket_candidates import Site
from .mention import Offsets
from .tokens import FUNCTION_WORDS

WEIGHTS: Final = DATA / "pair_scorer.json"
"""Path of the JSON file with the packaged weights of the logistic regression."""
_VALUE: Final = re.compile(r"\s*[=<>≤≥]|\s\d")  # "(P = 0.05)", "(EC 3.1.1.1)"
_CLOSING: Final = frozenset(")],;")
_CODE: Final = re.compile(r"\d|[A-Z].*[A-Z]")  # a long form of one word that looks like a code
_JOINTS: Final = "-–‐/"
_BEFORE: Final = 24  # number of characters before a long form that are searched
_SHORT: Final = 3  # maximum letters of a word that may be an article or a preposition
_MARKS: Final = {
    ",": "comma",
    "(": "brackets",
    "d": "other digits",
    "s": "shorter",
    "g": "glued",
    " ": "words",
    "1": "digit first",
    "=": "valued",
    "u": "code",
    "f": "begins with a function word",
    "-": "begins within a word",
    "b": "begins at a bound",
    "S": "subscript",
}


class PairFeatures(NamedTuple):
    """Properties of an acronym and a possible long form, which determine their probability.

    Attributes:
        steps: How each letter was matched, as a string of keys of `alignment.COST`. For example,
            ``W`` is a letter that begins a word.
        shape: Kind of spelling of the acronym, such as ``"upper"``, as in `Acronym.shape`.
        pattern: Arrangement of the two, such as ``long (short)``, as in `Site`.
        marks: A string whose characters each stand for an unusual property, such as ``,`` for a
            long form that contains a comma.
    """

    steps: str
    shape: str
    pattern: str
    marks: str


def describe(
    text: str, site: Site, acronym: Acronym, long_form: Offsets, steps: str
) -> PairFeatures:
    """Determine the properties of an acronym and a possible long form that the scorer uses.

    Args:
        text: Text of the document.
        site: Offsets of the acronym and of the text that contains the long form.
        acronym: The acronym, as returned by `read_acronym`.
        long_form: Start and end offsets of the long form in the text.
        steps: How each letter was matched, as a string of keys of `alignment.COST`.

    Returns:
        The properties, from which `features` computes the input of the logistic regression.
    """
    begin, end = site.acronym
    short = text[begin:end]
    start, stop = long_form
    words = text[start:stop]
    marks = "S" if acronym.subscript else ""
    if "," in words:
        marks += ","
    if "(" in words or "[" in words:
        marks += "("
    if "d" in steps and any(map(str.isdigit, words)):
        marks += "d"
    if len(words) < len(short):
        marks += "s"
    if site.long_first and begin > 1 and text[begin - 2].isalnum():
        marks += "g"
    if " " in short:
        marks += " "
    if short[0].isdigit():
        marks += "1"
    if text[end : end + 1] not in _CLOSING and _VALUE.match(text, end):
        marks += "="
    if " " not in words and _CODE.search(words):
        marks += "u"
    if words.split(None, 1)[0] in FUNCTION_WORDS:
        marks += "f"
    return PairFeatures(steps, acronym.shape, site.pattern, marks + _bound(text, start))


def _bound(text: str, start: int) -> str:
    """Return the character in `PairFeatures.marks` that describes the text before a long form.

    The result is ``-`` after a hyphen, ``b`` after a sign or function word, and otherwise empty.
    """
    if start and not text[start - 1].isspace():
        return "-" if text[start - 1] in _JOINTS else "b"
    words = text[max(0, start - _BEFORE) : start].split()
    if not words:
        return "b"
    word = words[-1]
    if word in _JOINTS:
        return "-"  # tokenized text: "non - linear"
    small = len(word) <= _SHORT and word.islower()
    return "b" if small or not word[-1].isalnum() or word.lower() in FUNCTION_WORDS else ""


def features(seen: PairFeatures) -> dict[str, float]:
    """Return the features of an acronym and a possible long form, by name.

    Args:
        seen: Properties of the pair, as returned by `describe`.

    Returns:
        A dictionary from the names of features, such as ``"step W"`` or ``"letters 3"``, to their
        values. Features that are not in it have the value 0.
    """
    steps, shape, pattern, marks = seen
    letters = len(steps) - sum(map(steps.count, LEFT_OUT))
    named: dict[str, float] = {f"step {step}": steps.count(step) for step in dict.fromkeys(steps)}
    named["cost"] = sum(map(COST.__getitem__, steps)) / letters
    named["trailing"] = len(steps) - len(steps.rstrip(LEFT_OUT))
    named[f"first {steps[0]}"] = 1
    if INITIAL.issuperset(steps):
        named["initials"] = 1
        named.pop("step s", None)
    named[f"letters {min(letters, 5)}"] = 1
    named[f"shape {shape}"] = 1
    named[f"pattern {pattern}"] = 1
    if shape in ("lower", "title"):
        named[f"{shape} {min(letters, 6)}"] = 1
    if "S" in marks:
        named[f"subscript first {steps[0] == 'o'}"] = 1
    for mark in marks:
        named[_MARKS[mark]] = 1
    return named


def probability(seen: PairFeatures, weight: dict[str, float]) -> float:
    """Return the probability that an acronym and a long form are a definition, for given weights.

    Args:
        seen: Properties of the pair, as returned by `describe`.
        weight: Weights of the logistic regression, by the names of the features. The key ``"bias"``
            is required. Features without a weight are ignored.

    Returns:
        The probability, 0 to 1.
    """
    score = weight["bias"] + sum([weight.get(n, 0.0) * v for n, v in features(seen).items()])
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@lru_cache(1 << 16)
def confidence(seen: PairFeatures) -> float:
    """Return the probability that an acronym and a long form are a definition.

    The logistic regression uses the weights that the package contains.

    Args:
        seen: Properties of the pair, as returned by `describe`.

    Returns:
        The probability, 0 to 1.
    """
    return probability(seen, _packaged())


@cache
def _packaged() -> dict[str, float]:
    loaded: dict[str, float] = json.loads(WEIGHTS.read_text("utf8"))["weights"]
    return loaded
