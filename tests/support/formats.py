"""A small whole file of every format that the package reads, and how each is read to its end."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

SAMPLE = Path(__file__).parents[2] / "assets/sample"
BENCHMARKS = SAMPLE / "benchmarks"
GLADIS = BENCHMARKS / "gladis/evaluation"
SDU22 = BENCHMARKS / "sdu22-ae/data/english/scientific/dev.json"


class Readable(NamedTuple):
    """A whole file, and what reads a file of its format; the result must be comparable."""

    path: Path
    read: Callable[[Path], Any]
    checked: bool = False  # by a checksum: damage gives an error or the whole file's answer


def readables(folder: Path) -> dict[str, Readable]:
    """Every format by name; what must be made first is written into `folder`."""
    from spacy_gladis.concepts.readers import read_concepts
    from spacy_gladis.research.datasets.bioc import read_bioc
    from spacy_gladis.research.datasets.disambiguation import read_disambiguation
    from spacy_gladis.research.datasets.linked_phrases import read_cometa, read_pubtator
    from spacy_gladis.research.datasets.sample import read_samples
    from spacy_gladis.research.datasets.sciai import read_sciai, read_sdu22
    from spacy_gladis.research.leakage.formats import read_items
    from spacy_gladis.research.mining.evaluation_set import read_medmentions, read_wikilinks
    from spacy_gladis.research.tasks.disambiguation.sets import read_candidates, read_set

    uad = GLADIS / "dict/uad_dict.json"
    medmentions = BENCHMARKS / "medmentions-sample/med_mentions.txt"
    test = GLADIS / "test_set/uad_test.json"
    formats = {
        "pile": Readable(SAMPLE / "corpus/general.jsonl.zst", _documents),
        "wikidata": Readable(SAMPLE / "ontologies/wikidata/entities.json", _documents),
        "umls": Readable(SAMPLE / "ontologies/umls/MRCONSO.RRF", _documents),
        "obo": Readable(SAMPLE / "ontologies/sample/sample.obo", _all(read_concepts)),
        "wikilinks": Readable(BENCHMARKS / "wikilinks/unseen.json", _all(read_wikilinks)),
        "medmentions": Readable(medmentions, _all(read_medmentions)),
        "pubtator": Readable(medmentions, _all(read_pubtator)),
        "sciad": Readable(
            BENCHMARKS / "sciad/dataset/dev.json", lambda path: list(read_disambiguation(path))
        ),
        "samples": Readable(test, lambda path: list(read_samples(path))),
        "gladis set": Readable(test, lambda path: read_set(path, "uad", uad)),
        "gladis dictionary": Readable(uad, read_candidates),
        "sciai": Readable(BENCHMARKS / "sciai/dataset/dev.json", read_sciai),
        "sdu22": Readable(SDU22, read_sdu22),
        "bioc": Readable(BENCHMARKS / "bioc/Ab3P-BioC/Ab3P_bioc_gold.xml", read_bioc),
        "cometa": Readable(
            BENCHMARKS / "cometa/splits/stratified_general/train.csv",
            lambda path: list(read_cometa(path, "general", _ignore)),
        ),
    }
    for name in ("sciai", "sdu22", "samples", "pubtator", "bioc"):
        formats[f"audit of {name}"] = Readable(formats[name].path, read_items)
    formats |= _dictionaries(folder) | _settings()
    return formats


def _dictionaries(folder: Path) -> dict[str, Readable]:
    from spacy_gladis.concepts import Inventory
    from spacy_gladis.concepts.build import write_inventory
    from spacy_gladis.concepts.readers import read_concepts
    from spacy_gladis.dictionary import Dictionary, import_dictionary, read_rows

    published, table = folder / "published.json", folder / "table.csv"
    published.write_bytes((GLADIS / "dict/uad_dict.json").read_bytes())
    import_dictionary(published, folder / "small.sqlite")
    table.write_text("acronym,long_form,count\nAI,adequate intake,3\nCT,Connecticut,2\n", "utf8")
    concepts = read_concepts(SAMPLE / "ontologies/sample/sample.obo")
    write_inventory(concepts, folder / "small.concepts")

    def stored(path: Path) -> Any:
        dictionary = Dictionary.open(path)
        dictionary.verify()
        return list(dictionary.groups())

    def looked_up(path: Path) -> Any:
        dictionary = Dictionary.open(path)
        return [dictionary.lookup(acronym) for acronym in ("CT", "MS", "PTC", "absent")]

    def inventory(path: Path) -> Any:
        opened = Inventory.open(path)
        return [opened.names[number] for number in range(len(opened.names))]

    def overlaid(path: Path) -> Any:
        dictionary = Dictionary.open(folder / "small.sqlite")
        return dictionary.add_rows(read_rows(path, "user", _ignore, negative=True))

    return {
        "dictionary, verified": Readable(folder / "small.sqlite", stored, checked=True),
        "dictionary, looked up": Readable(folder / "small.sqlite", looked_up),
        "published dictionary": Readable(published, stored),
        "overlay": Readable(table, overlaid),
        "inventory": Readable(folder / "small.concepts", inventory),
    }


def _settings() -> dict[str, Readable]:
    from spacy_gladis.research.training.recipes import RunSettings

    path = SAMPLE.parents[1] / "configs/acrobert_sample.cfg"

    def read(path: Path) -> Any:
        settings = RunSettings.read(path, {"paths.samples": "samples.jsonl"})
        return settings.training

    return {"settings": Readable(path, read)}


def _ignore(problem: object) -> None:
    """A problem that is reported is not a fault."""


def _all(read: Callable[..., Iterator[Any]]) -> Callable[[Path], Any]:
    return lambda path: list(read(path, report=_ignore))


def _documents(path: Path) -> Any:
    from spacy_gladis.research.mining.readers import read_documents

    return list(read_documents(path, report=_ignore))
