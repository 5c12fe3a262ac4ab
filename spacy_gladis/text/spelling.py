"""Compare spellings of acronyms and of long forms, and decide when two spellings are the same.

==================  ===========================================================================
`base_form`         joins an acronym's spellings within a text: CNN, CNNs, C.N.N.
`variants`          lists other spellings under which a dictionary may hold an acronym
`merge_key`         joins long forms across case, punctuation and inflection (GLADIS, section 3.1)
`same_key`          also joins British and American spelling, and ignores small words
`group_spellings`   also joins words with different endings: tomography, tomographic
==================  ===========================================================================
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from .tokens import fold

LONGEST_ACRONYM: Final = 40
"""Maximum number of characters of an acronym. Longer strings have no other spellings."""

HYPHENS: Final = "\u2010\u2011"
"""Typographic hyphens, which join words as ``-`` does."""

_PLAIN_HYPHENS: Final = str.maketrans(dict.fromkeys(HYPHENS, "-"))
_TYPOGRAPHY: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc", "'"),
        **dict.fromkeys(f"{HYPHENS}\u2012\u2013\u2212", "-"),
    }
)
_SPACED: Final = re.compile(r"(?<=\b[^\W\d_]\.) (?=[^\W\d_]\.)")  # U. S. C.
_POSSESSIVE: Final = re.compile(r"(?<=[\w.])'s?$")
_PLURAL: Final = re.compile(r"(?<=..)(?<=[A-Z0-9])s$")
_DOTS: Final = re.compile(f"[.{HYPHENS}-]")
_JOINTS: Final = re.compile(r"[-/ ]")
_SMALL_PLURAL: Final = re.compile(r"(?<=[a-z]{2})s$")
_LAST_NUMBER: Final = re.compile(r"(?<=[^\W\d_])(?=\d+$)")


def plain_hyphens(text: str) -> str:
    """Replace typographic hyphens in a text by ``-``.

    Args:
        text: The text to convert.

    Returns:
        The text with plain hyphens, which has the same length.
    """
    return text if text.isascii() else text.translate(_PLAIN_HYPHENS)


def variants(acronym: str) -> list[str]:
    """Return the spellings under which to look up an acronym in a dictionary, closest first.

    The first spellings are those with the same case (see `spellings`). They are followed by lower
    case if the capital may be due to the start of a sentence ("Hx"), then by capitals, and finally
    by the singular of a word in lower case. Case comes late, because it distinguishes acronyms.

    Args:
        acronym: The acronym as written.

    Returns:
        Distinct spellings, of which the first is the acronym itself.
    """
    same = spellings(acronym)
    if len(acronym) > LONGEST_ACRONYM:
        return same
    bases = _bases(acronym)
    small = [form.lower() for form in same if form[:1].isupper() and form[1:].islower()]
    capitals = [base.upper() for base in bases[-2:]]
    singular = [_SMALL_PLURAL.sub("", base) for base in bases[:1] if base.islower()]
    return list(dict.fromkeys([*same, *small, *capitals, *singular]))


def spellings(acronym: str) -> list[str]:
    """Return the spellings of an acronym that have the same letters in the same case.

    The spellings differ in typography, possessive and plural endings, dots and hyphens.

    Args:
        acronym: The acronym as written.

    Returns:
        Distinct spellings, of which the first is the acronym itself.
    """
    if len(acronym) > LONGEST_ACRONYM:
        return [acronym]
    return list(dict.fromkeys([acronym, *_spellings(_bases(acronym))]))


def base_form(acronym: str) -> str:
    """Return the basic spelling of an acronym, without possessive or plural ending and dots.

    Use it to compare the spellings of an acronym within a text. It is the same for "CNN", "CNNs"
    and "C.N.N.".

    Args:
        acronym: The acronym as written.
    """
    return _bases(acronym)[-1] if acronym.strip() and len(acronym) <= LONGEST_ACRONYM else acronym


def _bases(acronym: str) -> list[str]:
    """Return an acronym in plain typography, then also without endings, then without dots."""
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
    """Yield the spellings of an acronym with other hyphens or spaces between its parts."""
    if _JOINTS.search(acronym):
        yield _JOINTS.sub("", acronym) or acronym
        yield _JOINTS.sub("-", acronym)
        yield _JOINTS.sub(" ", acronym).strip() or acronym
    else:
        yield _LAST_NUMBER.sub("-", acronym)
        yield _LAST_NUMBER.sub(" ", acronym)


def is_plural(acronym: str) -> bool:
    """Return whether an acronym's last letter may be a plural ending, as in ``ABCs``.

    Args:
        acronym: The acronym as written.
    """
    return acronym[-1:] == "s" and acronym[-2:-1].isupper()


def singular(acronym: str) -> str:
    """Return an acronym without its plural ending.

    Args:
        acronym: The acronym as written.
    """
    return acronym[:-1] if is_plural(acronym) else acronym


def undotted(acronym: str) -> str:
    """Return a key for comparing acronyms without regard to case, dots and hyphens.

    Args:
        acronym: The acronym as written.
    """
    return _DOTS.sub("", acronym).casefold()


def letters_of(acronym: str) -> str:
    """Return an acronym's letters and digits in lower case.

    Args:
        acronym: The acronym as written.
    """
    return "".join(filter(str.isalnum, acronym)).casefold()


_ASCII_WORDS: Final = re.compile(r"[a-z']+|[0-9]+")
_FOLDED_WORDS: Final = re.compile(r"\d+|[^\d\s]+")
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_APOSTROPHES: Final = str.maketrans("\u2018\u2019\u02bc\uff07", "''''")
LONGEST_WORD: Final = 40
"""Maximum number of characters of a word. Longer words are not stemmed."""


def merge_key(long_form: str) -> str:
    """Return a key that is equal for spellings of the same long form (GLADIS, section 3.1).

    Case, accents, punctuation and spaces are removed, and each word is stemmed. For example,
    "Neural networks", "neural-network" and "neural network" have the same key. Numbers stay
    separate, so "1,3" and "13" have different keys.

    Args:
        long_form: The long form, in any spelling.

    Returns:
        The key, which is empty only if `long_form` is blank.
    """
    words = (
        _ASCII_WORDS.findall(long_form.lower()) if long_form.isascii() else _fold_words(long_form)
    )
    return "".join(map(_stem, words)) or " ".join(long_form.casefold().split())


def _fold_words(text: str) -> list[str]:
    """Return the words of a text beyond ASCII, without case and accents."""
    text = unicodedata.normalize("NFKD", text).casefold().translate(_APOSTROPHES)
    text = _ACCENTS.sub("", text)
    characters = (c if c == "'" or unicodedata.category(c)[0] in "LMN" else " " for c in text)
    return _FOLDED_WORDS.findall("".join(characters))


@lru_cache(maxsize=1 << 17)
def _stem(word: str) -> str:
    """Return a word's stem without apostrophes. A mark is added to the end of a number."""
    # Imported here because training works without this package.
    from Stemmer import Stemmer

    if word.isdecimal():
        return word + "."
    if len(word) <= LONGEST_WORD:
        if word.endswith("sis"):  # joins "analysis" with "analyses"
            word = word[:-3] + "ses"
        # A stemmer has state. A new stemmer for each word is thread-safe.
        stem = Stemmer("english", 0).stemWord(word)
        # The stemmer cuts both "coordinator" and "coordination" down to "coordin".
        acts = word.endswith(("tor", "tors")) and not stem.endswith("tor")
        word = stem + "or" if acts else stem
    return word.replace("'", "")


_LETTERS: Final = re.compile(r"[^\W\d_]+|\d+")
_DROPPED: Final = frozenset(["of", "for", "the", "and", "in", "on", "a", "an", "to"])

# Rules that unify British and American spelling. The result is only compared and never shown, so a
# rule may also change other words ("size" always becomes "sise").
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
    """Return a key that is equal for long forms with only small differences in wording.

    This key ignores more differences than `merge_key`. British and American spellings have the same
    key, and "&", "and", "of", "for" and "the" are ignored. Long forms with different numbers,
    prefixes ("hyper", "hypo") or negations always have different keys.

    Args:
        long_form: The long form, in any spelling.
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
"""Minimum share of the shorter word's letters that two forms of a word must have in common at the
start. It joins "tomography" and "tomographic", but not "community" and "communication"."""

SHORTEST_FORM = 5
"""Minimum number of letters of a word that may have several forms. Shorter words must be equal."""


@lru_cache(maxsize=10_000)
def group_spellings(long_forms: tuple[str, ...]) -> tuple[int, ...]:
    """Group long forms that are spellings of each other.

    Args:
        long_forms: The long forms to group.

    Returns:
        For each long form, the index of the first long form in its group.
    """
    keys: dict[str, int] = {}
    # The groups, by the beginning of their first word.
    beginning: defaultdict[str, list[int]] = defaultdict(list)
    words = [tuple(fold(name).replace("-", " ").split()) for name in long_forms]
    groups: list[int] = []
    for place, name in enumerate(long_forms):
        key = same_key(name)
        group = keys.get(key)
        if group is None:
            similar = beginning[words[place][0][:SHORTEST_FORM] if words[place] else ""]
            group = next((index for index in similar if _alike(words[index], words[place])), place)
            keys[key] = group
            if group == place:
                similar.append(place)
        groups.append(group)
    return tuple(groups)


def same_meaning(first: str, second: str) -> bool:
    """Return whether two long forms are spellings of each other.

    Args:
        first: A long form to compare.
        second: The long form to compare it with.
    """
    return len(set(group_spellings((first, second)))) == 1


def _alike(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Return whether two lists of words match. One of them may have another word at the end."""
    shorter = min(len(first), len(second))
    if abs(len(first) - len(second)) > (shorter > 1):
        return False
    return all(map(_same_word, first[:shorter], second[:shorter]))


def _same_word(first: str, second: str) -> bool:
    if first == second:
        return True
    shorter = min(len(first), len(second))
    shared = max(SHORTEST_FORM, -(-int(10 * SHARED_BEGINNING) * shorter // 10))
    return shorter >= SHORTEST_FORM and first.isalpha() and first[:shared] == second[:shared]
