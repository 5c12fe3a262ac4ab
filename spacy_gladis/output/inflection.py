"""Inflection of English phrases: singular, plural and the indefinite article."""

import re

_VOWEL_SOUND = re.compile(r"[aeiou]|heir|honou?r|honest|hour|8|1[18]\b", re.IGNORECASE)
_CONSONANT_SOUND = re.compile(r"eu|ewe|one\b|once|uni(?!n|m|de)|u[bfkst][aeiou]", re.IGNORECASE)
_SPELLED = re.compile(r"[A-Z](?:[A-Z]+\b|-)")
_VOWEL_LETTERS = "AEFHILMNORSX"
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$", re.IGNORECASE)
_CONSONANT_Y = re.compile(r"(?<=[^aeiou\W])y$", re.IGNORECASE)
_SINGULAR_S = r"\b(?:alias|atlas|bias|canvas|gas|lens|pancreas)$"
_PLURAL_ALREADY = re.compile(rf"(?!{_SINGULAR_S})\b\w*(?<![siu])s$", re.IGNORECASE)
_ALWAYS_PLURAL = re.compile(r"(?:\b(?:series|species|news|means)|ics)$", re.IGNORECASE)
_COMPLEMENT = re.compile(r"(?<=\w)\s(?:as|at|by|for|from|in|of|on|over|per|to|under|with)\s")
_HEAD_BEFORE_ADJECTIVE = re.compile(
    r"\b(?:(?:attorney|auditor|consul|director|governor|inspector|solicitor|surgeon)s?"
    r"|secretar(?:y|ies))(?=[\s-]general$)|\bcourts?(?=[\s-]martial$)"
    r"|\bnotar(?:y|ies)(?=\spublic$)|\w(?=-in-law$)",
    re.IGNORECASE,
)
"""The head noun of a phrase that ends in an adjective, as in "attorneys general"."""
_PERSON = re.compile(r"(?<=[a-z]{3})m[ae]n$")
_NO_PERSON = re.compile(r"(?:human|german|roman|shaman|talisman|specimen|regimen|abdomen|acumen)$")
_GREEK_SINGULAR = re.compile(r"(?:aly|the|gno|cri|sta|sto|\w{3}(?:bo|cho|ro))ses$")
_IRREGULAR = {
    "addendum": "addenda",
    "alga": "algae",
    "alumnus": "alumni",
    "alveolus": "alveoli",
    "appendix": "appendices",
    "automaton": "automata",
    "axis": "axes",
    "bacillus": "bacilli",
    "bacterium": "bacteria",
    "bronchus": "bronchi",
    "calf": "calves",
    "child": "children",
    "codex": "codices",
    "consortium": "consortia",
    "cortex": "cortices",
    "criterion": "criteria",
    "curriculum": "curricula",
    "curriculum vitae": "curricula vitae",
    "embolus": "emboli",
    "equilibrium": "equilibria",
    "erratum": "errata",
    "focus": "foci",
    "foot": "feet",
    "fungus": "fungi",
    "ganglion": "ganglia",
    "genus": "genera",
    "goose": "geese",
    "gyrus": "gyri",
    "half": "halves",
    "knife": "knives",
    "larva": "larvae",
    "leaf": "leaves",
    "life": "lives",
    "locus": "loci",
    "louse": "lice",
    "man": "men",
    "matrix": "matrices",
    "maximum": "maxima",
    "medium": "media",
    "memorandum": "memoranda",
    "midwife": "midwives",
    "millennium": "millennia",
    "minimum": "minima",
    "mitochondrion": "mitochondria",
    "mouse": "mice",
    "nebula": "nebulae",
    "nucleus": "nuclei",
    "optimum": "optima",
    "ovum": "ova",
    "person": "people",
    "phenomenon": "phenomena",
    "polyhedron": "polyhedra",
    "quantum": "quanta",
    "radius": "radii",
    "shelf": "shelves",
    "spectrum": "spectra",
    "stimulus": "stimuli",
    "stratum": "strata",
    "sulcus": "sulci",
    "syllabus": "syllabi",
    "symposium": "symposia",
    "thrombus": "thrombi",
    "tooth": "teeth",
    "vertebra": "vertebrae",
    "vertex": "vertices",
    "vortex": "vortices",
    "wife": "wives",
    "wolf": "wolves",
    "woman": "women",
}
_LEARNED_PLURALS = {
    "antennae": "antenna",
    "apices": "apex",
    "formulae": "formula",
    "indices": "index",
    "referenda": "referendum",
    "schemata": "schema",
    "stigmata": "stigma",
    "thesauri": "thesaurus",
}
"""Plurals that are recognized but not generated, because forms such as "indexes" are as common."""
_IRREGULAR_PLURALS = {
    **_LEARNED_PLURALS,
    **{plural: singular for singular, plural in _IRREGULAR.items()},
}


def plural(phrase: str) -> str:
    """Return a phrase with its head noun in the plural.

    The head noun is the last word before a complement ("of ...", "for ..."), the noun of a phrase
    such as "attorney general", or the last word.

    Args:
        phrase: The phrase. A phrase in the plural isn't changed.

    Returns:
        The phrase in the plural.
    """
    head, complement = _parts(phrase)
    return _plural_of_last(head) + complement


def singular(phrase: str) -> str:
    """Return a phrase with its head noun in the singular.

    Args:
        phrase: The phrase. A phrase in the singular isn't changed.

    Returns:
        The phrase in the singular.
    """
    head, complement = _parts(phrase)
    return _singular_of_last(head) + complement


def has_complement(phrase: str) -> bool:
    """Return whether a complement with "of", "for" etc. follows the head noun of a phrase.

    Args:
        phrase: The phrase, such as `requests for comments`.

    Returns:
        True if the phrase has a complement.
    """
    return bool(_parts(phrase)[1])


def indefinite_article(phrase: str) -> str:
    """Return the indefinite article of a phrase, which depends on its first sound.

    Args:
        phrase: The phrase. Words in capital letters are pronounced letter by letter.

    Returns:
        `a` or `an`.
    """
    if _SPELLED.match(phrase):
        return "an" if phrase[0] in _VOWEL_LETTERS else "a"
    vowel = _VOWEL_SOUND.match(phrase) and not _CONSONANT_SOUND.match(phrase)
    return "an" if vowel else "a"


def _parts(phrase: str) -> tuple[str, str]:
    """Split a phrase into the part up to its head noun and the rest."""
    if head := _HEAD_BEFORE_ADJECTIVE.search(phrase):
        return phrase[: head.end()], phrase[head.end() :]
    complement = _COMPLEMENT.search(phrase)
    end = complement.start() if complement else len(phrase)
    return phrase[:end], phrase[end:]


def _plural_of_last(phrase: str) -> str:
    if (changed := _irregular(phrase, _IRREGULAR)) is not None:
        return changed
    if _irregular(phrase, _IRREGULAR_PLURALS) is not None or _PLURAL_ALREADY.search(phrase):
        return phrase
    if _is_person(phrase):
        return phrase[:-2] + "en"
    if phrase.endswith("sis"):
        return phrase[:-2] + "es"
    if _CONSONANT_Y.search(phrase):
        return _CONSONANT_Y.sub("ies", phrase)
    return phrase + ("es" if _SIBILANT.search(phrase) else "s")


def _singular_of_last(phrase: str) -> str:
    if (changed := _irregular(phrase, _IRREGULAR_PLURALS)) is not None:
        return changed
    if _is_person(phrase):
        return phrase[:-2] + "an"
    if _ALWAYS_PLURAL.search(phrase) or not _PLURAL_ALREADY.search(phrase):
        return phrase
    if re.search(r"(?<=[^aeiou\W])ies$", phrase):
        return phrase[:-3] + "y"
    if re.search(r"(?:ss|x|z|ch|sh|us)es$", phrase):
        return phrase[:-2]
    if _GREEK_SINGULAR.search(phrase):
        return phrase[:-2] + "is"
    return phrase[:-1]


def _is_person(phrase: str) -> bool:
    """Return whether a phrase ends in a word such as "chairman" or "spokeswomen"."""
    return bool(_PERSON.search(phrase)) and not _NO_PERSON.search(phrase.lower())


def _irregular(phrase: str, forms: dict[str, str]) -> str | None:
    """Return a phrase with its last word or two replaced by an irregular form, if there is one."""
    for words in (1, 2):
        last = " ".join(phrase.split(" ")[-words:])
        if form := forms.get(last.lower()):
            return phrase[: -len(last)] + last[0] + form[1:]
    return None
