"""How likely an aligned pair is a definition: a logistic model over a few plain features."""

import json
import math
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from .alignment import COST, LEFT_OUT

WEIGHTS = Path(__file__).parent.parent / "data" / "pair_scorer.json"
_ODD = re.compile(r"[,(\[\d]")
_VALUE = re.compile(r"\s*[=<>≤≥]|\s\d")  # "(P = 0.05)", "(EC 3.1.1.1)"
_CODE = re.compile(r"\d|[A-Z].*[A-Z]")  # a long form of one word that looks like a code
_MARKS = {
    ",": "comma",
    "(": "brackets",
    "d": "other digits",
    "c": "contained",
    "s": "shorter",
    "g": "glued",
    " ": "words",
    "1": "digit first",
    "=": "valued",
    "u": "code",
}


class Evidence(NamedTuple):
    """What the scorer sees of a pair."""

    steps: str  # of the alignment
    shape: str  # of the acronym
    pattern: str
    marks: str  # letters that name what is odd in the pair


def evidence(
    text: str, acronym: tuple[int, int], shape: str, long_form: str, pattern: str, steps: str
) -> Evidence:
    """What the scorer sees of a pair: its alignment, the acronym's shape, the place."""
    short = text[slice(*acronym)]
    marks = ""
    if _ODD.search(long_form):
        if "," in long_form:
            marks += ","
        if "(" in long_form or "[" in long_form:
            marks += "("
        if "d" in steps and any(map(str.isdigit, long_form)):
            marks += "d"
    if short in long_form and has_word(long_form, short):
        marks += "c"
    if len(long_form) < len(short):
        marks += "s"
    if acronym[0] > 1 and text[acronym[0] - 2].isalnum():
        marks += "g"
    if " " in short:
        marks += " "
    if short[0].isdigit():
        marks += "1"
    if _VALUE.match(text, acronym[1]):
        marks += "="
    if " " not in long_form and _CODE.search(long_form):
        marks += "u"
    return Evidence(steps, shape, pattern, marks)


def features(seen: Evidence) -> dict[str, float]:
    """The features of a pair, by name."""
    steps, shape, pattern, marks = seen
    letters = len(steps) - sum(map(steps.count, LEFT_OUT))
    named: dict[str, float] = {f"step {step}": steps.count(step) for step in set(steps)}
    named["cost"] = sum(map(COST.__getitem__, steps)) / letters
    named["trailing"] = len(steps) - len(steps.rstrip(LEFT_OUT))
    named[f"first {steps[0]}"] = 1
    named[f"letters {min(letters, 5)}"] = 1
    named[f"shape {shape}"] = 1
    named[f"pattern {pattern}"] = 1
    if shape in ("lower", "title"):
        named[f"{shape} {min(letters, 6)}"] = 1
    for mark in marks:
        named[_MARKS[mark]] = 1
    return named


def probability(seen: Evidence, weight: dict[str, float]) -> float:
    """The probability of a definition, 0 to 1, by the weights of `features` and of "bias"."""
    score = weight["bias"] + sum(weight.get(n, 0.0) * v for n, v in features(seen).items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@lru_cache(1 << 16)
def confidence(seen: Evidence) -> float:
    """The probability of a definition, 0 to 1, by the packaged weights."""
    return probability(seen, _packaged())


@cache
def _packaged() -> dict[str, float]:
    loaded: dict[str, float] = json.loads(WEIGHTS.read_text("utf8"))["weights"]
    return loaded


def has_word(text: str, word: str) -> bool:
    """Whether a string stands in a text with no letter or digit beside it."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not text[max(0, at - 1) : at].isalnum() and not text[end : end + 1].isalnum():
            return True
        at = text.find(word, at + 1)
    return False
