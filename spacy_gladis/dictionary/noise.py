"""Detection of mined texts that are not long forms."""

import re

# Some long forms do begin with a function word, such as "in vitro fertilization". The rule
# therefore overestimates this kind of noise. The other rules underestimate theirs.
_FUNCTION_WORDS = """
a an the and or but nor if of to in on at by for from with as than that this these those it its is
are was were be been has have had which who whose where when while we our they their he she his her
you your i my not no also such into
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
_MARKUP = re.compile(r"[<>{}\\|=^~*@#_\[\]]|https?:|www\.")
_SENTENCE_END = re.compile(r"[.!?;:]\s+\S")
MIN_LETTERS = 0.6  # share of all characters, blanks included


def noise(long_form: str) -> str | None:
    """Return why a text is probably not a long form.

    Args:
        long_form: The text.

    Returns:
        The first reason that applies: "function word" at the start or end, "markup" or formulas,
        an unmatched "bracket" or quotation mark, a "sentence end" inside, or "few letters", which
        is under 60 % of the characters. None if no reason applies.
    """
    words = long_form.lower().split()
    if not words or words[0] in FUNCTION_WORDS or words[-1] in FUNCTION_WORDS:
        return "function word"
    if _MARKUP.search(long_form):
        return "markup"
    if long_form.count("(") != long_form.count(")") or long_form.count('"') % 2:
        return "bracket"
    if _SENTENCE_END.search(long_form):
        return "sentence end"
    letters = sum(map(str.isalpha, long_form)) + len(words) - 1
    if letters < MIN_LETTERS * len(long_form):
        return "few letters"
    return None
