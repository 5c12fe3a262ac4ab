"""What somebody may have meant who asked for an acronym that is not there."""

from .dictionary import Dictionary

LIKE = 0.5  # share of the characters that must agree, case apart
POOL = 100  # closest spellings among which the more frequent come first


def suggest(dictionary: Dictionary, acronym: str, limit: int = 5) -> list[str]:
    """The acronyms spelt most like this one, of equally close ones the most frequent first."""
    from rapidfuzz import process
    from rapidfuzz.distance import DamerauLevenshtein

    found = process.extract(
        acronym,
        dictionary,
        scorer=DamerauLevenshtein.normalized_similarity,
        processor=str.casefold,
        limit=POOL,
        score_cutoff=LIKE,
    )
    frequency = {near: sum(c.total for c in dictionary.candidates(near)) for near, _, _ in found}
    ranked = sorted(found, key=lambda match: (-match[1], -frequency[match[0]], match[0]))
    return [near for near, _, _ in ranked[:limit]]
