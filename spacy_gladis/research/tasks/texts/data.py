"""Data sets of whole texts: passages and documents with the meaning of each acronym marked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ....dictionary import Dictionary
from ....resolution import Resolution
from ...datasets.texts import LabelledText, read_texts
from ..options import DictionaryFile
from ..task import DataSet, Details, Reader

Answers = Sequence[tuple[int, int, Resolution]]
"""What is said of a text's mentions, by character offsets, in text order."""


class Gold(NamedTuple):
    """The texts with their mentions, and the dictionary's long forms of each acronym."""

    texts: Sequence[LabelledText]
    known: Mapping[str, tuple[str, ...]]


TextsData = DataSet[None, LabelledText, Gold]


@dataclass
class LabelledTexts(Reader[None, LabelledText, Gold]):
    """Reads JSON Lines of passages or documents, a file a data set.

    Attributes:
        dictionary: The dictionary in use; None for the packaged one.
    """

    dictionary: DictionaryFile = None

    def read(self, paths: Sequence[Path]) -> Iterator[TextsData]:
        """Read the files."""
        dictionary = Dictionary.open(self.dictionary)
        for path in paths:
            texts = read_texts(path)
            acronyms = {mention.acronym for one in texts for mention in one.mentions}
            known = {
                acronym: tuple(one.long_form for one in dictionary.lookup(acronym))
                for acronym in acronyms
            }
            details: Details = {
                "texts": len(texts),
                "mentions": sum(len(one.mentions) for one in texts),
                "characters": sum(len(one.text) for one in texts),
                "dictionary": dictionary.fingerprint,
            }
            questions = [one._replace(mentions=()) for one in texts]
            contents = [one.text for one in texts]
            yield DataSet(set_name(path), None, questions, Gold(texts, known), details, contents)


def set_name(path: Path) -> str:
    """Return the name of a set: its folder's, with what tells it from others there.

    "passages/dev.jsonl" is of passages, "documents/dev-2.jsonl" of "documents 2".
    """
    parts = (path.parent.name, path.stem.partition("-")[2])
    return " ".join(part for part in parts if part) or path.stem
