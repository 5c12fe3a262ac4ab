"""When two long forms of one acronym say the same, and what is made of those that do."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from ..text.merge_key import merge_key
from ..text.tokens import fold
from .candidate import Candidate, Entry, add_counts, total

_WORDS = re.compile(r"[^\W\d_]+|\d+")
_DROPPED = frozenset(["of", "for", "the", "and", "in", "on", "a", "an", "to"])

# British and American spellings, brought to one of them: the result is compared, never shown, so
# that a rule may also change words that have one spelling ("size" becomes "sise" everywhere).
_SPELLINGS = [
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
    words = [word for word in _WORDS.findall(fold(long_form)) if word not in _DROPPED]
    if not words:
        return merge_key(long_form)
    return merge_key(" ".join(map(_spelling, words)))


@lru_cache(1 << 17)
def _spelling(word: str) -> str:
    for pattern, replacement in _SPELLINGS:
        word = pattern.sub(replacement, word)
    return word


def merge_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Join the long forms of one acronym that have the same key, see `same_key`.

    The most frequent spelling, unprocessed, stands for all; of equally frequent ones the shortest,
    then the first in code point order. Counts are added by source. The result is sorted by
    frequency, most frequent first, and does not depend on the order of `entries`.
    """
    spellings: dict[str, dict[str, dict[str, int]]] = {}
    for long_form, counts in entries:
        same = spellings.setdefault(same_key(long_form), {})
        add_counts(same.setdefault(long_form, {}), counts)
    merged: list[Entry] = []
    for same in spellings.values():
        canonical, _ = min(same.items(), key=lambda entry: (-total(entry), len(entry[0]), entry[0]))
        counts = {}
        for more in same.values():
            add_counts(counts, more)
        merged.append((canonical, counts))
    return sorted(merged, key=lambda entry: (-total(entry), entry[0]))


def join_candidates(lists: Iterable[list[Candidate]]) -> list[Candidate]:
    """Join the candidates of one acronym's spellings by `same_key`, most frequent first.

    Of equal ones the most frequent stands for all, with the counts of all.
    """
    joined: dict[str, Candidate] = {}
    found = [candidate for candidates in lists for candidate in candidates]
    for candidate in sorted(found, key=lambda one: -one.total):
        first = joined.setdefault(same_key(candidate.long_form), candidate)
        if first is not candidate:
            counts = dict(first.counts)
            add_counts(counts, candidate.counts)
            key = same_key(candidate.long_form)
            gloss = first.gloss or candidate.gloss
            joined[key] = first._replace(counts=counts, total=sum(counts.values()), gloss=gloss)
    return sorted(joined.values(), key=lambda one: -one.total)


BEGINNING = 0.8
"""Words that share so much of the shorter one's letters from the first on are forms of one word:
"tomography" and "tomographic", but not "community" and "communication"."""

SHORTEST = 5
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
            known = beginning[words[place][0][:SHORTEST] if words[place] else ""]
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
    shared = max(SHORTEST, -(-int(10 * BEGINNING) * shorter // 10))
    return shorter >= SHORTEST and one.isalpha() and one[:shared] == other[:shared]
