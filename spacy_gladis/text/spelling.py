"""Compare spellings of acronyms and of long forms, and decide when two spellings mean the same.

==================  ===========================================================================
`base_form`         groups the spellings of an acronym within a text: CNN, CNNs, C.N.N.
`variants`          lists the spellings under which a dictionary may contain an acronym
`merge_key`         joins long forms across case, punctuation and inflection (GLADIS, section 3.1)
`same_key`          also joins British and American spelling, and ignores words such as "of"
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
"""Maximum number of characters of an acronym. For longer strings, no other spellings are
generated."""

HYPHENS: Final = "\u2010\u2011"
"""Typographic hyphens (U+2010 and U+2011), which join words in the same way as ``-``."""

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
    """Replace the typographic hyphens U+2010 and U+2011 in a text by ``-``.

    Args:
        text: The text to convert.

    Returns:
        The text with plain hyphens. It has the same length, so character offsets stay valid.
    """
    return text if text.isascii() else text.translate(_PLAIN_HYPHENS)


def variants(acronym: str) -> list[str]:
    """Return the spellings under which to look up an acronym in a dictionary, the closest first.

    The list begins with spellings in the same case (see `spellings`). Then comes lower case if only
    the first letter is a capital, which may be due to the start of a sentence. Capitals follow, and
    finally the singular of an acronym in lower case. Other cases come late because case
    distinguishes acronyms. For example, the variants of ``Hx`` are ``Hx``, ``Hx.``, ``hx``, ``hx.``
    and ``HX``.

    Args:
        acronym: The acronym as written.

    Returns:
        A list of distinct spellings, which begins with `acronym` itself.
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

    The spellings differ in typography, possessive and plural endings, dots, hyphens and spaces. For
    example, the spellings of ``CNNs`` are ``CNNs``, ``CNN`` and ``C.N.N.``.

    Args:
        acronym: The acronym as written.

    Returns:
        A list of distinct spellings, which begins with `acronym` itself.
    """
    if len(acronym) > LONGEST_ACRONYM:
        return [acronym]
    return list(dict.fromkeys([acronym, *_spellings(_bases(acronym))]))


def base_form(acronym: str) -> str:
    """Return the basic spelling of an acronym, without possessive ending, plural ending and dots.

    Use it to compare the spellings of an acronym within a text. For example, the base form of
    "CNN", "CNNs", "CNN's" and "C.N.N." is "CNN". Hyphens and case are kept.

    Args:
        acronym: The acronym as written. If it has more than 40 characters, it is returned
            unchanged.
    """
    return _bases(acronym)[-1] if acronym.strip() and len(acronym) <= LONGEST_ACRONYM else acronym


def _bases(acronym: str) -> list[str]:
    """Return four spellings of an acronym, each simpler than the one before.

    The first has plain typography. The others also lack the possessive ending, the plural ending
    and the dots. The list is empty if the acronym is blank.
    """
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
    """Return whether an acronym ends with a capital and a small ``s``, as the plural ``ABCs`` does.

    Args:
        acronym: The acronym as written.
    """
    return acronym[-1:] == "s" and acronym[-2:-1].isupper()


def singular(acronym: str) -> str:
    """Return an acronym without its plural ending, so that ``ABCs`` becomes ``ABC``.

    Args:
        acronym: The acronym as written. It is returned unchanged if it is not a plural.
    """
    return acronym[:-1] if is_plural(acronym) else acronym


def undotted(acronym: str) -> str:
    """Return a key for comparing acronyms without regard to case, dots and hyphens.

    For example, "CNN", "cnn" and "C.N.N." have the key ``cnn``.

    Args:
        acronym: The acronym as written.
    """
    return _DOTS.sub("", acronym).casefold()


def letters_of(acronym: str) -> str:
    """Return only the letters and digits of an acronym, in lower case.

    For example, "TCP/IP" gives ``tcpip``.

    Args:
        acronym: The acronym as written.
    """
    return "".join(filter(str.isalnum, acronym)).casefold()


_ASCII_WORDS: Final = re.compile(r"[a-z']+|[0-9]+")
_FOLDED_WORDS: Final = re.compile(r"\d+|[^\d\s]+")
_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_APOSTROPHES: Final = str.maketrans("\u2018\u2019\u02bc\uff07", "''''")
LONGEST_WORD: Final = 40
"""Maximum number of characters of a word that is stemmed. Longer words are compared as written."""


def merge_key(long_form: str) -> str:
    """Return a key that is equal for spellings of the same long form (GLADIS, section 3.1).

    To compute the key, case, accents, punctuation and spaces are removed, and each word is stemmed.
    For example, "Neural networks" and "neural-network" have the same key. Numbers stay separate, so
    "1,3" and "13" have different keys.

    The paper only names stemming and the removal of punctuation. Its stemmer is not known. Two
    rules are ours: "analysis" and "analyses" have the same key, and "coordinator" and
    "coordination" have different keys.

    Args:
        long_form: The long form, in any spelling.

    Returns:
        The key, such as ``"neuralnetwork"``. It is empty only if `long_form` is blank.
    """
    words = (
        _ASCII_WORDS.findall(long_form.lower()) if long_form.isascii() else _fold_words(long_form)
    )
    return "".join(map(_stem, words)) or " ".join(long_form.casefold().split())


def _fold_words(text: str) -> list[str]:
    """Return the words of a text with non-ASCII characters, without case and accents."""
    text = unicodedata.normalize("NFKD", text).casefold().translate(_APOSTROPHES)
    text = _ACCENTS.sub("", text)
    characters = (c if c == "'" or unicodedata.category(c)[0] in "LMN" else " " for c in text)
    return _FOLDED_WORDS.findall("".join(characters))


@lru_cache(maxsize=1 << 17)
def _stem(word: str) -> str:
    """Return the stem of a word, without apostrophes. A number is returned with a final dot."""
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
    key, and small words such as "&", "and", "of", "for" and "the" are ignored. For example, "Centre
    of Tumour" and "center tumor" have the same key. Long forms with different numbers, prefixes
    ("hyper", "hypo") or negations always have different keys.

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
"""Minimum share of the shorter word's letters that must also begin the longer word if two words are
forms of the same word. This value joins "tomography" and "tomographic", but not "community" and
"communication"."""

SHORTEST_FORM = 5
"""Minimum number of letters of a word that may have several forms. Shorter words must be equal."""


@lru_cache(maxsize=10_000)
def group_spellings(long_forms: tuple[str, ...]) -> tuple[int, ...]:
    """Group long forms that are spellings of each other.

    Two long forms belong together if their `same_key` is equal, or if their words are forms of the
    same words, such as "tomography" and "tomographic". If both have several words, one of them may
    have an additional word at the end.

    Args:
        long_forms: The long forms to group.

    Returns:
        For each long form, the index of the first long form in its group. For example,
        ``("magnetic resonance imaging", "MR imaging", "magnetic-resonance imaging")`` gives
        ``(0, 1, 0)``.
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
    """Return whether two long forms are spellings of each other, as decided by `group_spellings`.

    Args:
        first: A long form, such as "computed tomography".
        second: The long form to compare it with, such as "computed tomographic".
    """
    return len(set(group_spellings((first, second)))) == 1


def _alike(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Return whether the words of two long forms match. One may have another word at the end."""
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
