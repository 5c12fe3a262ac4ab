"""Data sets for definitions: abstracts with annotated definitions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...datasets.bioc import Abstract, Pair, read_bioc
from ..task import DataSet, Reader

Training = Sequence[Abstract]
"""The abstracts themselves. A system that trains on them must cross-validate."""
Gold = Sequence[frozenset[Pair]]
DefinitionData = DataSet[Training, str, Gold]


@dataclass
class BioCSets(Reader[Training, str, Gold]):
    """Reads data sets from BioC XML files, or from folders with one file `*_gold.xml`."""

    def read(self, paths: Sequence[Path]) -> Iterator[DefinitionData]:
        """Read each path as a data set.

        Args:
            paths: Files and folders to read.

        Yields:
            A data set for each path, named after it.

        Raises:
            InputError: If a file does not exist.
            FormatError: If a file is not BioC XML.
        """
        for path in paths:
            abstracts = read_bioc(path)
            texts = [abstract.text for abstract in abstracts]
            gold = [abstract.definitions for abstract in abstracts]
            details = {"documents": len(abstracts), "pairs": sum(map(len, gold))}
            yield DataSet(path.stem, abstracts, texts, gold, details, texts)
