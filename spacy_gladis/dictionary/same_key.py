"""When two long forms of one acronym say the same: spelling, function words and hyphens aside."""

import re
from functools import lru_cache

from ..rules.folding import fold
from ..rules.merge_key import merge_key

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
