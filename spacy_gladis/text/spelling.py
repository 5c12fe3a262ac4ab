"""Spellings of acronyms and of long forms, and when two of them are the same.

Everything that knows when two acronyms or two long forms are one is here.

==================  ===========================================================================
`base_form`         equal for an acronym's spellings within a text: CNN, CNNs, C.N.N.
`variants`          under which other spellings a dictionary may hold an acronym
`merge_key`         equal for a long form's case, punctuation and inflection (GLADIS, section 3.1)
`same_key`          also for British and American spelling, and small words
`group_spellings`   also for words that differ in their ending: tomography, tomographic
==================  ===========================================================================
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from .tokens import fold

LONGEST_ACRONYM: Final = 40  # characters; what is longer is no acronym and has no variants

_TYPOGRAPHY: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212", "-"),
    }
)
_SPACED: Final = re.compile(r"(?<=\b[^\W\d_]\.) (?=[^\W\d_]\.)")  # U. S. C.
_POSSESSIVE: Final = re.compile(r"(?<=[\w.])'s?$")
_PLURAL: Final = re.compile(r"(?<=..)(?<=[A-Z0-9])s$")
_DOTS: Final = re.compile(r"[.\u2010\u2011-]")
_JOINTS: Final = re.compile(r"[-/ ]")
_SMALL_PLURAL: Final = re.compile(r"(?<=[a-z]{2})s$")
_LAST_NUMBER: Final = re.compile(r"(?<=[^\W\d_])(?=\d+$)")


def variants(acronym: str) -> list[str]:
    """The spellings under which to look an acronym up: itself first, the most faithful next.

    First those of `spellings`, then small letters where a capital began the sentence ("Hx"),
    then capitals: case tells acronyms apart. Last the singular of a word in small letters.
    """
    same = spellings(acronym)
    if len(acronym) > LONGEST_ACRONYM:
        return same
    bases = _bases(acronym)
    small = [one.lower() for one in same if one[:1].isupper() and one[1:].islower()]
    capitals = [base.upper() for base in bases[-2:]]
    singular = [_SMALL_PLURAL.sub("", base) for base in bases[:1] if base.islower()]
    return list(dict.fromkeys([*same, *small, *capitals, *singular]))


def spellings(acronym: str) -> list[str]:
    """The acronym and how else it is spelt, with the same letters in the same case.

    Plain typography; without a possessive or plural ending; without dots, with one after each
    letter or one at the end; without hyphens or with one; with a plural ending.
    """
    if len(acronym) > LONGEST_ACRONYM:
        return [acronym]
    return list(dict.fromkeys([acronym, *_spellings(_bases(acronym))]))


def base_form(acronym: str) -> str:
    """The acronym in plain typography, without possessive or plural ending and without dots.

    Equal for an acronym's spellings within a text, such as "CNN", "CNNs" and "C.N.N.".
    """
    return _bases(acronym)[-1] if acronym.strip() and len(acronym) <= LONGEST_ACRONYM else acronym


def _bases(acronym: str) -> list[str]:
    """In plain typography, then also without possessive, plural ending and dots."""
    plain = " ".join(unicodedata.normalize("NFKC", acronym).translate(_TYPOGRAPHY).split())
    plain = _SPACED.sub("", plain) if ". " in plain else plain
    if not plain:
        return []
    possessor = _POSSESSIVE.sub("", plain)
    singular = _PLURAL.sub("", possessor)
    return [plain, possessor, singular, _PLURAL.sub("", singular.replace(".", "")) or singular]


def _spellings(bases: list[str]) -> Iterator[str]:
    if not bases:
        return
    yield from bases
    singular, undotted = bases[-2:]
    if (
        singular.isalpha()
        and 2 <= len(singular) <= 4
        and (singular.isupper() or singular.islower())
    ):
        yield "".join(letter + "." for letter in singular)
    if singular.isalpha() and singular[1:].islower():
        yield singular + "."
    elif len(singular) > 1 and singular.endswith("."):
        yield singular[:-1]
    yield from _joined(undotted)
    if len(singular) > 1 and (singular[-1].isupper() or singular[-1].isdigit()):
        yield singular + "s"


def _joined(acronym: str) -> Iterator[str]:
    """Without hyphens, slashes and spaces, or with one before the number at the end."""
    if _JOINTS.search(acronym):
        yield _JOINTS.sub("", acronym) or acronym
        yield _JOINTS.sub("-", acronym)
        yield _JOINTS.sub(" ", acronym).strip() or acronym
    else:
        yield _LAST_NUMBER.sub("-", acronym)
        yield _LAST_NUMBER.sub(" ", acronym)


def is_plural(acronym: str) -> bool:
    """Return whether an acronym's last letter may be a plural's: ``ABCs``."""
    return acronym[-1:] == "s" and acronym[-2:-1].isupper()


def singular(acronym: str) -> str:
    """Return an acronym without the ending of its plural."""
    return acronym[:-1] if is_plural(acronym) else acronym


def undotted(acronym: str) -> str:
    """Return a key that is equal for an acronym's capitals, dots and hyphens, and nothing else."""
    return _DOTS.sub("", acronym).casefold()


def letters_of(acronym: str) -> str:
    """Return an acronym's letters and digits in small letters."""
    return "".join(filter(str.isalnum, acronym)).casefold()


_ASCII_WORDS: Final = re.compile(r"[a-z']+|[0-9]+")
_FOLDED_WORDS: Final = re.compile(r"\d+|[^\d\s]+")
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_APOSTROPHES: Final = str.maketrans("\u2018\u2019\u02bc\uff07", "''''")
LONGEST_WORD: Final = 40  # characters; what is longer is no word and is not stemmed


def merge_key(long_form: str) -> str:
    """The key that is equal for spellings of one long form.

    Case, accents, punctuation and spaces are removed and each word is stemmed, so "Neural
    networks", "neural-network" and "neural network" are one. Runs of digits stay apart: "1,3" and
    "13" differ. Never empty, unless `long_form` is blank. GLADIS, section 3.1.
    """
    words = (
        _ASCII_WORDS.findall(long_form.lower()) if long_form.isascii() else _fold_words(long_form)
    )
    return "".join(map(_stem, words)) or " ".join(long_form.casefold().split())


def _fold_words(text: str) -> list[str]:
    """The words of a text that is not ASCII, without case and accents."""
    text = unicodedata.normalize("NFKD", text).casefold().translate(_APOSTROPHES)
    text = _ACCENTS.sub("", text)
    kept = (c if c == "'" or unicodedata.category(c)[0] in "LMN" else " " for c in text)
    return _FOLDED_WORDS.findall("".join(kept))


@lru_cache(maxsize=1 << 17)
def _stem(word: str) -> str:
    """A word's stem, a number with its end marked; nothing of its apostrophes."""
    # Imported here: a machine that trains alone need not have it.
    from Stemmer import Stemmer

    if word.isdecimal():
        return word + "."
    if len(word) <= LONGEST_WORD:
        if word.endswith("sis"):  # "analysis" as "analyses", which the stemmer keeps apart
            word = word[:-3] + "ses"
        # A stemmer holds the word it works on: a new one each time is safe between threads.
        stem = Stemmer("english", 0).stemWord(word)
        # A coordinator is no coordination, though the stemmer cuts both down to "coordin".
        acts = word.endswith(("tor", "tors")) and not stem.endswith("tor")
        word = stem + "or" if acts else stem
    return word.replace("'", "")


_LETTERS: Final = re.compile(r"[^\W\d_]+|\d+")
_DROPPED: Final = frozenset(["of", "for", "the", "and", "in", "on", "a", "an", "to"])

# British and American spellings, brought to one of them: the result is compared, never shown, so
# that a rule may also change words that have one spelling ("size" becomes "sise" everywhere).
_BRITISH: Final = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"(?<=.)our", "or"),  # colour, tumour, behaviour
        (r"ae|oe", "e"),  # haem-, anaemia, paediatric, oedema
        (r"iz(?=[aei])", "is"),  # organization
        (r"yz(?=e|i)", "ys"),  # analyze
        (r"(?<=[bdt])re(?=s?$)", "er"),  # centre, fibre, litre
        (r"(?<=f|l|d|t)enc(?=e)", "ens"),  # defence, licence, pretence
        (r"ll", "l"),  # modelling, enrolment
        (r"amme(?=s?$|d$)", "am"),  # programme
        (r"ogue(?=s?$)", "og"),  # catalogue
        (r"sulph", "sulf"),
        (r"disc(?=s?$)", "disk"),
        (r"alumini", "alumin"),
        (r"^alfa$", "alpha"),
        (r"^grey$", "gray"),
        (r"^mould", "mold"),
        (r"^tyre", "tire"),
        (r"ageing$", "aging"),
        (r"^computeris", "comput"),  # computerized tomography
        (r"graphic$", "graphy"),  # computed tomographic
        (r"(?<=g)e(?=ment)", ""),  # judgement
    )
]


@lru_cache(1 << 17)
def same_key(long_form: str) -> str:
    """A key that is equal for the spellings of one long form and for its wordings' small change.

    Coarser than `merge_key`: British and American spellings are one, and so are "&", "and", "of",
    "for", "the" and none. Numbers, prefixes ("hyper", "hypo") and negations always tell apart.
    """
    words = [word for word in _LETTERS.findall(fold(long_form)) if word not in _DROPPED]
    if not words:
        return merge_key(long_form)
    return merge_key(" ".join(map(_spelling, words)))


@lru_cache(1 << 17)
def _spelling(word: str) -> str:
    for pattern, replacement in _BRITISH:
        word = pattern.sub(replacement, word)
    return word


SHARED_BEGINNING = 0.8
"""Words that share so much of the shorter one's letters from the first on are forms of one word:
"tomography" and "tomographic", but not "community" and "communication"."""

SHORTEST_FORM = 5
"""Shorter words must be equal."""


@lru_cache(maxsize=10_000)
def group_spellings(long_forms: tuple[str, ...]) -> tuple[int, ...]:
    """For each long form the place of the first one that it is a spelling of: itself, if none."""
    keys: dict[str, int] = {}
    beginning: defaultdict[str, list[int]] = defaultdict(list)  # of the first word: the groups
    words = [tuple(fold(name).replace("-", " ").split()) for name in long_forms]
    groups: list[int] = []
    for place, name in enumerate(long_forms):
        key = same_key(name)
        group = keys.get(key)
        if group is None:
            known = beginning[words[place][0][:SHORTEST_FORM] if words[place] else ""]
            group = next((one for one in known if _alike(words[one], words[place])), place)
            keys[key] = group
            if group == place:
                known.append(place)
        groups.append(group)
    return tuple(groups)


def same_meaning(one: str, other: str) -> bool:
    """Whether two long forms are spellings of one."""
    return len(set(group_spellings((one, other)))) == 1


def _alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether the words are the same in other forms, or with one more at the end: "CT scan"."""
    shorter = min(len(one), len(other))
    if abs(len(one) - len(other)) > (shorter > 1):
        return False
    return all(map(_same_word, one[:shorter], other[:shorter]))


def _same_word(one: str, other: str) -> bool:
    if one == other:
        return True
    shorter = min(len(one), len(other))
    shared = max(SHORTEST_FORM, -(-int(10 * SHARED_BEGINNING) * shorter // 10))
    return shorter >= SHORTEST_FORM and one.isalpha() and one[:shared] == other[:shared]
