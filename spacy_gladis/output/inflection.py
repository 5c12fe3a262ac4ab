"""Inflection of English phrases: plurals, singulars and the indefinite articles "a" and "an"."""

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
"""The noun of a phrase that ends with an adjective, as "attorneys" in "attorneys general"."""
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
"""Plurals that `singular` recognizes but `plural` doesn't create, because regular forms such as
"indexes" are as common."""
_IRREGULAR_PLURALS = {
    **_LEARNED_PLURALS,
    **{plural: singular for singular, plural in _IRREGULAR.items()},
}


def plural(phrase: str) -> str:
    """Return an English phrase in the plural.

    The word that changes is the last one before a complement with "of", "for" and the like, or the
    noun of a phrase such as "attorney general". Otherwise, it is the last word. For example,
    "request for comments" becomes "requests for comments".

    Args:
        phrase: Phrase such as the long form of an acronym. A phrase in the plural stays unchanged.

    Returns:
        The phrase in the plural.
    """
    head, complement = _parts(phrase)
    return _plural_of_last(head) + complement


def singular(phrase: str) -> str:
    """Return an English phrase in the singular.

    The word that changes is chosen as in `plural`. For example, "requests for comments" becomes
    "request for comments".

    Args:
        phrase: Phrase such as the long form of an acronym. A phrase in the singular stays
            unchanged.

    Returns:
        The phrase in the singular.
    """
    head, complement = _parts(phrase)
    return _singular_of_last(head) + complement


def has_complement(phrase: str) -> bool:
    """Return whether an English phrase has a complement with "of", "for" or a similar word.

    Args:
        phrase: Phrase such as "requests for comments", which has one, or "neural network".

    Returns:
        True if a complement follows the phrase's main noun.
    """
    return bool(_parts(phrase)[1])


def indefinite_article(phrase: str) -> str:
    """Return the indefinite article for an English phrase, according to the phrase's first sound.

    For example, it is "a" for "user interface" and "an" for "hour".

    Args:
        phrase: Phrase in normal spelling. Words in capital letters are pronounced letter by letter.

    Returns:
        "a" or "an".
    """
    if _SPELLED.match(phrase):
        return "an" if phrase[0] in _VOWEL_LETTERS else "a"
    vowel = _VOWEL_SOUND.match(phrase) and not _CONSONANT_SOUND.match(phrase)
    return "an" if vowel else "a"


def _parts(phrase: str) -> tuple[str, str]:
    """Split an English phrase after its main noun, which is the word that inflection changes.

    For example, "requests for comments" is split into "requests" and " for comments".
    """
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
    """Return whether a phrase ends with a word such as "chairman" or "spokeswomen"."""
    return bool(_PERSON.search(phrase)) and not _NO_PERSON.search(phrase.lower())


def _irregular(phrase: str, forms: dict[str, str]) -> str | None:
    """Return a phrase whose last one or two words are replaced by an irregular form, or None."""
    for words in (1, 2):
        last = " ".join(phrase.split(" ")[-words:])
        if form := forms.get(last.lower()):
            return phrase[: -len(last)] + last[0] + form[1:]
    return None
