"""SDU-22's extraction task: systems mark texts; the official scorer compares exact offsets."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from ...metrics.identification import IdentificationScores, score_offsets
from ...rules import Offsets
from ..datasets.answers import Record
from ..datasets.sdu22_ae import read_sdu22
from .run import Gold, evaluate_sets
from .sciai.classes import count_errors
from .sciai.systems import Found


def read_gold(path: Path) -> Gold:
    """The texts of an extraction file with the offsets that people marked."""
    paragraphs, inside = read_sdu22(path)
    texts = [one.text for one in paragraphs]
    gold = [(set(one.short), set(one.long)) for one in paragraphs]
    read = [partial(_words, text) for text in texts]

    def score(found: list[Found]) -> tuple[IdentificationScores, Mapping[str, int]]:
        return score_offsets(gold, found), count_errors(gold, found, read)

    words = sum(len(text.split()) for text in texts)
    return Gold(texts, words, {"ends of spans inside a word": inside}, score, _records)


evaluate = partial(
    evaluate_sets, read=read_gold, measure="exact offsets, macro over short and long (SDU-22)"
)


def _records(found: list[Found]) -> Iterator[Record]:
    for one in found:
        yield {"acronyms": sorted(one.short), "long-forms": sorted(one.long)}


def _words(text: str, span: Offsets) -> str:
    return text[slice(*span)]
