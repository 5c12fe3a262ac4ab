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
"""The mentions that a system found in a text, in text order. Each has start and end character
offsets and a resolution."""


class Gold(NamedTuple):
    """The right answers of a data set.

    Attributes:
        texts: The texts with their gold mentions.
        long_forms: A mapping from each acronym to the dictionary's long forms.
    """

    texts: Sequence[LabelledText]
    long_forms: Mapping[str, tuple[str, ...]]


TextsData = DataSet[None, LabelledText, Gold]


@dataclass
class LabelledTexts(Reader[None, LabelledText, Gold]):
    """Reads JSON Lines of passages or documents, one data set from each file.

    Attributes:
        dictionary: Dictionary to compare with. None for the packaged dictionary.
    """

    dictionary: DictionaryFile = None

    def read(self, paths: Sequence[Path]) -> Iterator[TextsData]:
        """Read each file as a data set.

        Args:
            paths: Files to read.

        Yields:
            A data set for each file, named by `set_name`.

        Raises:
            InputError: If a file does not exist.
            FormatError: If a line is not a labelled text. The message names it.
        """
        dictionary = Dictionary.open(self.dictionary)
        for path in paths:
            texts = read_texts(path)
            acronyms = {mention.acronym for text in texts for mention in text.mentions}
            long_forms = {
                acronym: tuple(entry.long_form for entry in dictionary.lookup(acronym))
                for acronym in acronyms
            }
            details: Details = {
                "texts": len(texts),
                "mentions": sum(len(text.mentions) for text in texts),
                "characters": sum(len(text.text) for text in texts),
                "dictionary": dictionary.fingerprint,
            }
            questions = [text._replace(mentions=()) for text in texts]
            contents = [text.text for text in texts]
            yield DataSet(
                set_name(path), None, questions, Gold(texts, long_forms), details, contents
            )


def set_name(path: Path) -> str:
    """Return a data set's name, made of the names of its folder and file.

    "passages/dev.jsonl" becomes "passages", "documents/dev-2.jsonl" becomes "documents 2".

    Args:
        path: The set's file.

    Returns:
        The name.
    """
    parts = (path.parent.name, path.stem.partition("-")[2])
    return " ".join(part for part in parts if part) or path.stem
