"""Text folded for comparing letters: lower case, no accents, Latin for Greek; offsets stay."""

import unicodedata
from typing import Final

_GREEK: Final = dict(zip("αβγδεζηθικλμνξοπρςστυφχψω", "abgdezhtiklmnxoprsstufcpo", strict=True))


class _Fold(dict[int, str]):
    """Folded letters by code point, filled as they are met; one character always gives one."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        base = unicodedata.normalize("NFKD", character)[:1].lower()
        folded = base if len(base) == 1 and base.isalnum() == character.isalnum() else character
        self[code] = _GREEK.get(folded, folded)
        return self[code]


_FOLD: Final = _Fold()


def fold(text: str) -> str:
    """A text of the same length in lower case, without accents, its Greek letters Latin."""
    return text.lower() if text.isascii() else text.translate(_FOLD)
