"""Questions about documents of the corpus that stay the same, whatever is mined from the others.

    python benchmarks/frozen_rows.py ../shared/corpus samples.jsonl

`frozen_rows.tsv.gz` says where they stand; no text is in it. "mentions": acronyms that their
document defines, far from where the long form is spelt out, to be read in the whole document.
"held-out": mentions, and definitions without the long form, of acronyms that the network was not
trained on, each to be read in the words around it. Of both there are as many others to choose
settings by ("mentions-choice", "held-out-choice"): of other documents, and of other acronyms.
Drawn once, by the dictionary and the rules of that day; samples.jsonl is what
`corpus extract` and `audit filter` give.
"""

import argparse
import csv
import gzip
import io
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from spacy_gladis.dictionary import Dictionary, same_key
from spacy_gladis.documents.document import Document
from spacy_gladis.files import writing
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.mining.readers import read_documents
from spacy_gladis.research.training.run import held_out_samples
from spacy_gladis.rules import Mention, defined_mentions, find_definitions, merge_key

ROWS = Path(__file__).parent / "frozen_rows.tsv.gz"
NUMBER = 1500
EACH = 100
"""Documents of a shard for "mentions", and as many before them for "mentions-choice"."""
FAR = 1000
"""Characters around a mention that must not spell its long form."""
MOST = 60
"""Candidates of a mention, at most: more take their vectors' time."""
REPLACED = 300
"""Characters of a definition, at most."""


class Row(NamedTuple):
    """Where a question stands: in `document` of the corpus, its shard and line.

    acronym: as the question has it; it takes the place of [start, end). low, high: what is read
    around it. long_start, long_end: its long form, out of what is read or far away in it.
    """

    part: str
    document: str
    acronym: str
    low: int
    start: int
    end: int
    high: int
    long_start: int
    long_end: int

    def question(self, document: Document, number: int) -> "Question":
        """What it asks about its document, which is the so-manieth."""
        text = document.text
        left = text[self.low : self.start]
        whole = left + self.acronym + text[self.end : self.high]
        mention = Mention(whole, len(left), len(left) + len(self.acronym), number)
        long_form = " ".join(text[self.long_start : self.long_end].split())
        return Question(mention, long_form, document)


class Question(NamedTuple):
    """A mention, and what its document says it is."""

    mention: Mention
    long_form: str
    document: Document

    @property
    def right(self) -> str:
        """The merge key of the right answer."""
        return merge_key(self.long_form)


def read_rows(*parts: str) -> list[Row]:
    """The frozen rows of these parts; of all, if none is named."""
    with gzip.open(ROWS, "rt", encoding="utf8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    found = [Row(*row[:3], *map(int, row[3:])) for row in rows]  # type: ignore[arg-type]
    return [row for row in found if not parts or row.part in parts]


def documents_of(corpus: Path, rows: Iterable[Row]) -> dict[str, Document]:
    """The documents of rows, by their ids."""
    wanted = {row.document for row in rows}
    found: dict[str, Document] = {}
    for shard in sorted({one.split(":")[0] for one in wanted}):
        last = max(int(one.split(":")[1]) for one in wanted if one.startswith(f"{shard}:"))
        documents = read_documents(corpus / f"{shard}.jsonl.zst")
        found |= {one.id: one for one in islice(documents, last) if one.id in wanted}
    return found


def read_questions(
    corpus: Path, *parts: str, documents: Mapping[str, Document] | None = None
) -> list[Question]:
    """The questions of these parts; mentions read in one document have its number.

    documents: those of all rows by their ids, if they are read already.
    """
    rows = read_rows(*parts)
    found = documents or documents_of(corpus, rows)
    numbers = {name: number for number, name in enumerate(found)}
    return [row.question(found[row.document], numbers[row.document]) for row in rows]


def main() -> None:
    """Draw the rows and write their file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("samples", type=Path)
    parser.add_argument("--output", type=Path, default=ROWS)
    options = parser.parse_args()
    dictionary = Dictionary.open()
    rows = [*draw_mentions(options.corpus, dictionary)]
    rows += draw_held_out(options.corpus, options.samples, dictionary)
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n")
    writer.writerows([Row._fields, *rows])
    with writing(options.output) as temporary:
        temporary.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))
    print(Counter(row.part for row in rows))


def draw_mentions(corpus: Path, dictionary: Dictionary) -> Iterator[Row]:
    """Mentions of acronyms whose document has their long form, and has it somewhere else."""
    documents = [
        list(islice(read_documents(one), 2 * EACH)) for one in sorted(corpus.glob("*.jsonl.zst"))
    ]
    for part, first in (("mentions", EACH), ("mentions-choice", 0)):
        chosen = [one for shard in documents for one in shard[first : first + EACH]]
        random.Random(0).shuffle(chosen)
        asked = 0
        for document in chosen:
            rows = list(_defined_far_away(document, dictionary))
            yield from (row._replace(part=part) for row in rows)
            asked += len(rows)
            if asked >= NUMBER:
                break


def _defined_far_away(document: Document, dictionary: Dictionary) -> Iterator[Row]:
    text = document.text
    definitions = find_definitions(text)
    for (start, end), index in defined_mentions(text, definitions).items():
        first, last = definitions[index].long_form
        long_form = text[first:last]
        if long_form.lower() in text[max(0, start - FAR) : end + FAR].lower():
            continue
        keys = [merge_key(one.long_form) for one in dictionary.lookup(text[start:end])]
        if 1 < len(keys) < MOST and merge_key(long_form) in keys:
            yield Row("", document.id, text[start:end], 0, start, end, len(text), first, last)


def draw_held_out(corpus: Path, samples: Path, dictionary: Dictionary) -> list[Row]:
    """Samples of acronyms that were not trained on, one of an acronym in a document.

    Only acronyms of which the dictionary knows more than what the document says.
    """
    found = list(held_out_samples(samples))
    random.Random(0).shuffle(found)
    acronyms = {name: at for at, name in enumerate(sorted({one.acronym for one in found}))}
    parts: dict[str, dict[tuple[str, str], Sample]] = {"held-out": {}, "held-out-choice": {}}
    for sample in found:
        part = parts["held-out" if acronyms[sample.acronym] % 2 else "held-out-choice"]
        if len(part) < NUMBER + NUMBER // 10 and knows_more(dictionary, sample):
            part.setdefault((sample.document, sample.acronym), sample)
    named = [(name, one) for name, part in parts.items() for one in part.values()]
    documents = documents_of(
        corpus, [Row("", one.document, "", 0, 0, 0, 0, 0, 0) for _, one in named]
    )
    rows: defaultdict[str, list[Row]] = defaultdict(list)
    for name, sample in named:
        row = _place(name, sample, documents[sample.document])
        if row and len(rows[name]) < NUMBER:
            rows[name].append(row)
    return [row for name in parts for row in rows[name]]


def knows_more(dictionary: Dictionary, sample: Sample) -> bool:
    """Whether a dictionary has more of a sample's acronym than its document gives."""
    key = same_key(sample.long_form)
    return any(
        not (same_key(one.long_form) == key and one.counts == {sample.domain: 1})
        for one in dictionary.lookup(sample.acronym)
    )


def _place(part: str, sample: Sample, document: Document) -> Row | None:
    """Where a sample was cut out, if it is one stretch of text in which one place was replaced."""
    text = document.text.replace("\n", " ")
    left, right = sample.text[: sample.start], sample.text[sample.end :]
    pattern = f"{re.escape(left)}(.{{1,{REPLACED}}}?){re.escape(right)}"
    words = map(re.escape, sample.long_form.split())
    at, spelt = re.search(pattern, text), re.search(r"\s+".join(words), text)
    if at is None or spelt is None:
        return None
    acronym = sample.text[sample.start : sample.end]
    return Row(part, document.id, acronym, at.start(), *at.span(1), at.end(), *spelt.span())


if __name__ == "__main__":
    main()
