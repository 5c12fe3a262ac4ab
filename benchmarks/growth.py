"""How the cost grows with the work: documents, dictionaries, candidates.

    python benchmarks/growth.py ../shared/corpus

Costs are CPU seconds of one thread. Of each series the log-log slope is stated, by least squares
over all sizes and over its last step: 1 is linear, 0 is no growth.
"""

import argparse
import json
import random
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dictionary_store
import numpy as np
from measuring import RESULTS, cpu_seconds, in_process, sample_texts, write_results

from spacy_gladis.dictionary import export_dictionary

DOCUMENTS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
LINKED = 100_000
"""Longest document, in characters, that the linker reads too."""
DICTIONARIES = (10_000, 100_000, 1_000_000)
CANDIDATES = (1, 10, 100, 1_000, 5_000)
MENTIONS = 64


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    options = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    figures = documents(options.corpus) | dictionaries() | {"candidates": candidates()}
    write_results(RESULTS / "growth.json", figures)


def series(sizes: Sequence[int], costs: Sequence[float], unit: str) -> dict[str, Any]:
    """Costs by size, and how they grow."""
    x, y = np.log(sizes), np.log(costs)
    return {
        unit: {str(n): float(f"{cost:.4g}") for n, cost in zip(sizes, costs, strict=True)},
        "slope": round(float(np.polyfit(x, y, 1)[0]), 3),
        "slope_of_last_step": round(float(np.diff(y)[-1] / np.diff(x)[-1]), 3),
    }


def documents(corpus: Path) -> dict[str, Any]:
    """The components on one document, by its characters."""
    import spacy

    whole = "\n\n".join(sample_texts(corpus, 3_000))
    assert len(whole) >= DOCUMENTS[-1], "the corpus is too small"
    nlp = spacy.blank("en")
    nlp.max_length = len(whole)
    nlp.add_pipe("acronym_detector")
    linker = nlp.add_pipe("acrobert_linker")
    nlp(whole[:LINKED])  # the long forms' vectors are computed once
    detecting, linking = [], []
    for size in DOCUMENTS:
        with nlp.select_pipes(disable="acrobert_linker"):
            text = whole[:size]
            doc = nlp(text)  # the first time, words are also entered in the vocabulary
            detecting.append(cpu_seconds(partial(nlp, text)))
            if size <= LINKED:
                linking.append(cpu_seconds(partial(linker, doc)))
    sizes = DOCUMENTS[: len(linking)]
    return {
        "tokenise_and_detect_by_characters": series(DOCUMENTS, detecting, "cpu_seconds"),
        "link_by_characters": series(sizes, linking, "cpu_seconds"),
    }


def dictionaries() -> dict[str, Any]:
    """Importing, by the number of long forms."""
    costs = {}
    with TemporaryDirectory() as folder:
        for size in DICTIONARIES:
            published, store = Path(folder) / "published.json", Path(folder) / "store.sqlite"
            export_dictionary(dictionary_store.synthetic(size * 15 // 64, size), published)
            imported = in_process(dictionary_store.__file__, "import", published, store)
            costs[size] = imported["cpu_seconds"]
    return {"import_by_long_forms": series([*costs], [*costs.values()], "cpu_seconds")}


def candidates() -> dict[str, Any]:
    """The linker's cost of a mention, by its acronym's candidates; their vectors are computed."""
    from spacy_gladis.dictionary import Dictionary, import_dictionary
    from spacy_gladis.linking import AcroBERT, Linker
    from spacy_gladis.text import Mention

    draw = random.Random(0)
    names = list(islice(Dictionary.open().long_forms, 3 * CANDIDATES[-1]))
    groups = {f"AC{number}": draw.sample(names, number) for number in CANDIDATES}
    with TemporaryDirectory() as folder:
        published = Path(folder) / "published.json"
        content = {acronym: [[name, 1] for name in group] for acronym, group in groups.items()}
        published.write_text(json.dumps(content), "utf8")
        import_dictionary(published, Path(folder) / "store.sqlite", "made")
        dictionary = Dictionary.open(Path(folder) / "store.sqlite")
        linker = Linker(AcroBERT.load(), dictionary)
        costs = []
        for acronym in groups:
            mentions = []
            for number in range(MENTIONS):
                before = f"As the protocol says, the patients of group {number} were given "
                text = before + acronym + " every day and at the same hour. " + before * 2
                end = len(before) + len(acronym)
                mentions.append(Mention(text, len(before), end, document=number))
            linker.rank(mentions[:1])
            costs.append(cpu_seconds(partial(linker.rank, mentions)) / MENTIONS)
    return series(CANDIDATES, costs, "cpu_seconds_per_mention")


if __name__ == "__main__":
    main()
