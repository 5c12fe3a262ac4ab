"""Data sets for definitions: abstracts whose definitions people marked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...datasets.bioc import Abstract, Pair, read_bioc
from ..task import DataSet, Reader

Training = Sequence[Abstract]
"""The abstracts themselves: a system that learns from them must not answer what it learnt from."""
Gold = Sequence[frozenset[Pair]]
DefinitionData = DataSet[Training, str, Gold]


@dataclass
class BioCSets(Reader[Training, str, Gold]):
    """Reads BioC XML: a file, or a folder with one `*_gold.xml`."""

    def read(self, paths: Sequence[Path]) -> Iterator[DefinitionData]:
        """Read each path as a data set."""
        for path in paths:
            documents = read_bioc(path)
            texts = [one.text for one in documents]
            gold = [one.definitions for one in documents]
            details = {"documents": len(documents), "pairs": sum(map(len, gold))}
            yield DataSet(path.stem, documents, texts, gold, details, texts)
