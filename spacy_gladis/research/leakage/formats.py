"""The formats an audit reads, one generator of `Item`s each."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ...errors import FormatError, missing_extra
from ..datasets.sample import PLACEHOLDER
from .items import Item
from .raw import first_line, json_lines, load_json, text_lines

BATCH = 10_000  # rows of a Parquet file decoded at once


def gladis(path: Path) -> Iterator[Item]:
    """GLADIS evaluation and fine-tuning sets."""
    for number, record in enumerate(json_lines(path)):
        acronym, long_form = record["short_term"], record["long_term"]
        tokens = [acronym if token == PLACEHOLDER else token for token in record["tokens"]]
        pair = (acronym, long_form)
        yield Item(" ".join(tokens), (long_form,), (acronym,), (pair,), str(number))


def gladis_pretraining(path: Path) -> Iterator[Item]:
    """GLADIS's pre-training sample: acronym, long form, sentence."""
    for number, line in enumerate(text_lines(path)):
        acronym, long_form, text = line.split("\t")
        yield Item(text, (long_form,), (acronym,), ((acronym, long_form),), str(number))


def json_samples(path: Path) -> Iterator[Item]:
    """Samples of this package, one JSON object a line; only `text` is required."""
    for number, record in enumerate(json_lines(path)):
        yield _sample(number, record)


def parquet_samples(path: Path) -> Iterator[Item]:
    """Samples of this package in Parquet; only the column `text` is required."""
    try:
        from pyarrow import ArrowInvalid
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise missing_extra("pyarrow", "corpus") from error
    try:
        number = 0
        for batch in ParquetFile(path).iter_batches(BATCH):
            for record in batch.to_pylist():
                yield _sample(number, record)
                number += 1
    except ArrowInvalid as error:
        raise FormatError(f"{path} is no whole Parquet file: {error}.") from error


def _sample(number: int, record: dict[str, Any]) -> Item:
    acronym, long_form = record.get("acronym"), record.get("long_form")
    document = str(record.get("document", ""))
    if not acronym or not long_form:
        return Item(record["text"], id=str(number), document=document)
    pair = (acronym, long_form)
    return Item(record["text"], (long_form,), (acronym,), (pair,), str(number), document)


def sciai(path: Path) -> Iterator[Item]:
    """SciAI: tokens with BIO labels of acronyms ("short") and long forms ("long")."""
    for record in load_json(path):
        spans = list(_iob_spans(record["tokens"], record["labels"]))
        acronyms = tuple(text for kind, text in spans if kind == "short")
        annotations = tuple(text for _, text in spans)
        yield Item(" ".join(record["tokens"]), annotations, acronyms, (), str(record["id"]))


def sciad(path: Path) -> Iterator[Item]:
    """SciAD: tokens, the acronym's index, its expansion."""
    for record in load_json(path):
        acronym, long_form = record["tokens"][record["acronym"]], record["expansion"]
        pair = (acronym, long_form)
        text = " ".join(record["tokens"])
        yield Item(text, (long_form,), (acronym,), (pair,), str(record["id"]))


def sdu22_extraction(path: Path) -> Iterator[Item]:
    """SDU-22 acronym extraction: a text with character offsets."""
    for record in load_json(path):
        text = record["text"]
        acronyms = tuple(text[start:end] for start, end in record["acronyms"])
        long_forms = tuple(text[start:end] for start, end in record["long-forms"])
        yield Item(text, acronyms + long_forms, acronyms, (), str(record["ID"]))


def sdu22_disambiguation(path: Path) -> Iterator[Item]:
    """SDU-22 acronym disambiguation: a sentence, an acronym and its long form."""
    for record in load_json(path):
        pair = (record["acronym"], record["label"])
        yield Item(record["sentence"], pair[1:], pair[:1], (pair,), str(record["ID"]))


def bioc(path: Path) -> Iterator[Item]:
    """BioC XML; a document is an item, its relations pair short and long forms."""
    for document in ElementTree.parse(path).iter("document"):
        passages = [passage.findtext("text") or "" for passage in document.iter("passage")]
        mentions = {
            one.get("id"): one.findtext("text") or "" for one in document.iter("annotation")
        }
        pairs = []
        for relation in document.iter("relation"):
            roles = {
                node.get("role"): mentions.get(node.get("refid")) for node in relation.iter("node")
            }
            if roles.get("ShortForm") and roles.get("LongForm"):
                pairs.append((str(roles["ShortForm"]), str(roles["LongForm"])))
        name = document.findtext("id") or ""
        acronyms = tuple(acronym for acronym, _ in pairs)
        yield Item(" ".join(passages), tuple(mentions.values()), acronyms, tuple(pairs), name, name)


def pubtator(path: Path) -> Iterator[Item]:
    """PubTator; a document (title and abstract) is an item, its mentions are the annotations."""
    name, parts, mentions = "", list[str](), list[str]()
    for line in text_lines(path):
        start = line.split("|", 2)
        if len(start) == 3 and start[1] in ("t", "a"):
            if start[1] == "t" and parts:
                yield Item(" ".join(parts), tuple(mentions), id=name, document=name)
                parts, mentions = [], []
            name = start[0]
            parts.append(start[2])
        elif len(columns := line.split("\t")) >= 6:
            mentions.append(columns[3])
    if parts:
        yield Item(" ".join(parts), tuple(mentions), id=name, document=name)


def iob(path: Path) -> Iterator[Item]:
    """One token and its IOB tag a line, a blank line between sentences."""
    tokens, tags, number = list[str](), list[str](), 0
    for line in [*text_lines(path), ""]:
        if line.strip():
            token, tag = line.split("\t")
            tokens.append(token)
            tags.append(tag)
        elif tokens:
            spans = tuple(text for _, text in _iob_spans(tokens, tags))
            yield Item(" ".join(tokens), spans, id=str(number))
            tokens, tags, number = [], [], number + 1


def _iob_spans(tokens: list[str], tags: list[str]) -> Iterator[tuple[str, str]]:
    if len(tokens) != len(tags):
        raise ValueError(f"{len(tokens)} tokens against {len(tags)} labels")
    kind, words = "", list[str]()
    for token, tag in [*zip(tokens, tags, strict=True), ("", "O")]:
        prefix, _, label = tag.partition("-")
        if words and (prefix != "I" or label != kind):
            yield kind, " ".join(words)
            words = []
        if prefix in ("B", "I"):
            kind = label
            words.append(token)


def wic_tsv(path: Path) -> Iterator[Item]:
    """WiC-TSV: target, word index, context; definitions lie in the file beside it."""
    definitions = path.with_name(path.name.replace("_examples", "_definitions"))
    contexts = list(text_lines(path))
    senses = list(text_lines(definitions)) if definitions.is_file() else [""] * len(contexts)
    if len(senses) != len(contexts):
        raise FormatError(
            f"{path}: {len(contexts)} lines against {len(senses)} in {definitions.name}."
        )
    for number, (line, sense) in enumerate(zip(contexts, senses, strict=True)):
        target, _, context = line.split("\t")
        yield Item(context, (f"{target} {sense}".strip(),), id=str(number))


def psytar_sentences(path: Path) -> Iterator[Item]:
    """PsyTAR's sentences."""
    for row in csv.DictReader(text_lines(path), delimiter="\t", quoting=csv.QUOTE_NONE):
        yield Item(row["sentences"], id=row["id"], document=row["drug_id"])


def psytar_phrases(path: Path) -> Iterator[Item]:
    """PsyTAR's mapped phrases: the phrase is the text, its concept the annotation."""
    rows = csv.DictReader(text_lines(path), delimiter="\t", quoting=csv.QUOTE_NONE)
    for row in rows:
        phrase = row[(rows.fieldnames or [])[3]]
        yield Item(phrase, (row["UMLS1"],), id=row["id"], document=row["drug_id"])


def askapatient(path: Path) -> Iterator[Item]:
    """AskAPatient: phrase and concept."""
    for number, line in enumerate(text_lines(path)):
        phrase, concept = line.split("\t")
        yield Item(phrase, (concept.strip(),), id=str(number))


def cometa(path: Path) -> Iterator[Item]:
    """COMETA: the example sentence is the text, the term is the annotation."""
    delimiter = "\t" if "\t" in first_line(path) else ","
    for row in csv.DictReader(text_lines(path), delimiter=delimiter):
        yield Item(row["Example"], (row["Term"],), id=row["ID"])


def lines(path: Path) -> Iterator[Item]:
    """Plain text, one text a line; blank lines are left out."""
    for number, line in enumerate(text_lines(path)):
        if line.strip():
            yield Item(line.strip(), id=str(number))
