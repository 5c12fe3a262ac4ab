"""Data sets of passages and documents in which each acronym is labelled with its long form."""

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
"""The mentions that a system found in a text, in text order. Each is a tuple of the start offset,
the end offset and the resolution of the acronym."""


class Gold(NamedTuple):
    """The right answers for the texts of a data set.

    Attributes:
        texts: Texts with their gold mentions.
        long_forms: A mapping from each acronym of the gold mentions to the long forms that the
            dictionary lists for it.
    """

    texts: Sequence[LabelledText]
    long_forms: Mapping[str, tuple[str, ...]]


TextsData = DataSet[None, LabelledText, Gold]


@dataclass
class LabelledTexts(Reader[None, LabelledText, Gold]):
    """Reads passages or documents with labelled acronyms from JSON Lines files.

    Attributes:
        dictionary: Path of the dictionary that tells whether a gold long form was known. None for
            the packaged dictionary.
    """

    dictionary: DictionaryFile = None

    def read(self, paths: Sequence[Path]) -> Iterator[TextsData]:
        """Read a data set from each of the given files.

        Args:
            paths: JSON Lines files of labelled texts.

        Yields:
            A data set for each file. Its name is made from the names of the folder and the file.

        Raises:
            InputError: If a file does not exist.
            FormatError: If a line is not a labelled text. The message names the line.
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
    """Return the name of a data set, which is made from the names of its folder and its file.

    For example, "passages/dev.jsonl" becomes "passages", and "documents/dev-2.jsonl" becomes
    "documents 2".

    Args:
        path: Path of the file with the data set.

    Returns:
        The name of the folder and the part of the file's name after a hyphen.
    """
    parts = (path.parent.name, path.stem.partition("-")[2])
    return " ".join(part for part in parts if part) or path.stem
