"""Detect texts that are not long forms, although they were mined from a corpus as such."""

import re

# The rule for function words also rejects some valid long forms, such as "in vitro fertilization".
# The other rules miss some of the noise.
_FUNCTION_WORDS = """
a an the and or but nor if of to in on at by for from with as than that this these those it its is
are was were be been has have had which who whose where when while we our they their he she his her
you your i my not no also such into
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
_MARKUP = re.compile(r"[<>{}\\|=^~*@#_\[\]]|https?:|www\.")
_SENTENCE_END = re.compile(r"[.!?;:]\s+\S")
MIN_LETTERS = 0.6  # minimum share of letters and spaces among all characters


def noise(long_form: str) -> str | None:
    """Return the reason why a text that was mined from a corpus is probably not a long form.

    For example, "of the patient" gives "function word", and "computed tomography" gives None.

    Args:
        long_form: The text that was mined as a long form.

    Returns:
        The first of these reasons that applies, or None if the text may be a long form:

        - "function word": The text begins or ends with a function word.
        - "markup": The text contains markup, a web address or a formula.
        - "bracket": The text contains an unmatched bracket or quotation mark.
        - "sentence end": A sentence ends inside the text.
        - "few letters": Less than 60 % of its characters are letters or spaces.
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
