"""Leakage in the public benchmarks, beside the figures of Elangovan et al. 2021 for BC2GM.

    python benchmarks/leakage.py --data ../shared/benchmarks

Audits every benchmark that has a train and a test side, and asks how the similarity of BC2GM's
test set grows with the training set. Only figures are written, no text.
"""

import argparse
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
from measuring import RESULTS, peak_megabytes, write_results

from spacy_gladis.research.leakage.formats import read_items
from spacy_gladis.research.leakage.run import audit
from spacy_gladis.research.leakage.similarity import nearest

BIOMEDICAL, TEST_SETS = "gladis/input/dataset/biomedical", "gladis/evaluation/test_set"
SAMPLE, WIC, SDU22 = "gladis/input/pre_train_sample.txt", "wic-tsv/data/en", "sdu22-ae/data"
SCIAI, NCBI, BC5CDR = "sciai/dataset", "ncbi-disease/NCBI", "bc5cdr/CDR"
LANGUAGES = ("english/scientific", "french", "danish", "persian", "vietnamese")
PAIRS = {
    "BC2GM": ("bc2gm/train.tsv", "bc2gm/test.tsv"),
    "GLADIS biomedical, train to dev": (f"{BIOMEDICAL}/train.json", f"{BIOMEDICAL}/dev.json"),
    "GLADIS biomedical, train to Bio-UMLS test": (
        f"{BIOMEDICAL}/train.json",
        f"{TEST_SETS}/bio_umls_test.json",
    ),
    **{
        f"GLADIS pre-training sample to {name} test": (
            SAMPLE,
            f"{TEST_SETS}/{file}_test.json",
        )
        for name, file in (("UAD", "uad"), ("SciAD", "sciad"), ("Bio-UMLS", "bio_umls"))
    },
    "SciAI": (f"{SCIAI}/train.json", f"{SCIAI}/dev.json"),
    "SciAI train to SciAD": (f"{SCIAI}/train.json", f"{TEST_SETS}/sciad_test.json"),
    **{
        f"SDU-22 extraction, {name}": (f"{SDU22}/{name}/train.json", f"{SDU22}/{name}/dev.json")
        for name in LANGUAGES
    },
    **{
        f"WiC-TSV English, train to {name}": (f"{WIC}/Training/train_examples.txt", f"{WIC}/{side}")
        for name, side in (
            ("dev", "Development/dev_examples.txt"),
            ("test", "Test/test_examples.txt"),
        )
    },
    "NCBI disease": (f"{NCBI}trainset_corpus.txt", f"{NCBI}developset_corpus.txt"),
    "BC5CDR": (f"{BC5CDR}_TrainingSet.PubTator.txt", f"{BC5CDR}_DevelopmentSet.PubTator.txt"),
    "SST-2": ("sst2/train.tsv", "sst2/test.tsv"),
    "AskAPatient, fold 0": ("askapatient/0/train.tsv", "askapatient/0/dev.tsv"),
}
PAPER = {  # Elangovan et al. 2021, Table 2, BC2GM: 15,000 training and 5,000 test sentences
    "texts": {"1": 33.19, "2": 13.12, "3": 4.20},
    "annotations": {"1": 70.77, "2": 19.55, "3": 5.41},
}
PAPER_TRAINING_SENTENCES = 15_000


def bc2gm_growth(data: Path) -> dict[str, Any]:
    """Mean similarities of BC2GM's test set by the size of the training set, and at the paper's.

    The similarity grows nearly linearly with the logarithm of the size: the line through the
    measured means is read at the size of the release that the paper used.
    """
    train, test = (read_items(data / name) for name in PAIRS["BC2GM"])
    random.Random(0).shuffle(train)
    sizes = [len(train) // 4, len(train) // 2, 3 * len(train) // 4, len(train)]
    growth: dict[str, Any] = {"training_sentences": sizes, "paper": PAPER}
    for what in ("texts", "annotations"):
        growth[what] = {}
        for n in (1, 2, 3):
            means = []
            for size in sizes:
                test_texts, train_texts = (
                    [item.text for item in side]
                    if what == "texts"
                    else [text for item in side for text in item.annotations]
                    for side in (test, train[:size])
                )
                means.append(100 * float(nearest(test_texts, train_texts, n).similarity.mean()))
            slope, start = np.polyfit(np.log(sizes), means, 1)
            growth[what][str(n)] = {
                "means": means,
                "expected_at_15000": float(start + slope * np.log(PAPER_TRAINING_SENTENCES)),
            }
    return growth


def main() -> None:
    """Audit the benchmarks and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of benchmarks")
    parser.add_argument("--output", type=Path, default=RESULTS / "leakage.json")
    arguments = parser.parse_args()
    audits = {}
    for name, (train, test) in PAIRS.items():
        begin = time.perf_counter()
        sides = read_items(arguments.data / train), read_items(arguments.data / test)
        report = audit(*sides)
        del report["closest"]  # texts of the benchmarks
        report["seconds"] = round(time.perf_counter() - begin, 2)
        audits[name] = {"train_file": train, "test_file": test, **report}
    results = {
        "bc2gm_by_training_size": bc2gm_growth(arguments.data),
        "peak_memory_mb": peak_megabytes(),
        "audits": audits,
    }
    write_results(arguments.output, results)


if __name__ == "__main__":
    main()
