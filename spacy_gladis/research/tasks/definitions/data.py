"""Data sets of abstracts in which people annotated the definitions of acronyms."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...datasets.bioc import Abstract, Pair, read_bioc
from ..task import DataSet, Reader

Training = Sequence[Abstract]
"""The test abstracts with their definitions. A system that trains on them must cross-validate."""
Gold = Sequence[frozenset[Pair]]
DefinitionData = DataSet[Training, str, Gold]


@dataclass
class BioCSets(Reader[Training, str, Gold]):
    """Reads abstracts with annotated definitions from BioC XML, the format of Ab3P's corpus."""

    def read(self, paths: Sequence[Path]) -> Iterator[DefinitionData]:
        """Read a data set from each of the given files and folders.

        Args:
            paths: BioC XML files, or folders that contain one file `*_gold.xml`.

        Yields:
            A data set for each path. It has the name of the file or folder without the suffix. The
            text of an abstract is a question.

        Raises:
            InputError: If a file does not exist, or a folder does not contain exactly one file
                `*_gold.xml`.
            FormatError: If a file is not BioC XML.
        """
        for path in paths:
            abstracts = read_bioc(path)
            texts = [abstract.text for abstract in abstracts]
            gold = [abstract.definitions for abstract in abstracts]
            details = {"documents": len(abstracts), "pairs": sum(map(len, gold))}
            yield DataSet(path.stem, abstracts, texts, gold, details, texts)
