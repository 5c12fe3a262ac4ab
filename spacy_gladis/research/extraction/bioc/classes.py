"""Why a definition was missed or wrong: the classes of errors, counted."""

from collections.abc import Collection

from ....rules.schwartz_hearst import align
from ...datasets.bioc import Pair
from ..sciai.classes import class_of_shape

MISSED = (
    "boundary",
    "discontinuous",
    "brackets in the short form",
    "one character",
    "multi-word",
    "letters",
    "digits",
    "not reached",
)

WRONG = ("boundary", "no definition")


def class_of_missed(text: str, gold: Pair, predicted: Collection[Pair]) -> str:
    """The first that holds of a gold pair that a system did not give.

    boundary: the acronym was given another long form; discontinuous: the long
    form leaves words of the text out; letters: the acronym's letters are not in the long form in
    their order; digits: its letters are, its digits are not.
    """
    acronym, long_form = gold
    if any(short == acronym for short, _ in predicted):
        return "boundary"
    if long_form not in text:
        return "discontinuous"
    if shape := class_of_shape(acronym):
        return shape
    letters = "".join(filter(str.isalpha, acronym))
    if not letters or align(letters, long_form) < 0:
        return "letters"
    if any(map(str.isdigit, acronym)) and align(acronym, long_form) < 0:
        return "digits"
    return "not reached"


def class_of_wrong(predicted: Pair, gold: Collection[Pair]) -> str:
    """boundary: the acronym is right and the long form is another; else no definition is there."""
    return "boundary" if any(predicted[0] == short for short, _ in gold) else "no definition"
