"""Every task's metric by how similar a test text is to the training part.

    python benchmarks/leakage_tasks.py FOLDER

FOLDER holds what the evaluations keep, each in a folder of its own:

    spacy-gladis evaluate sciai SCIAI --only dev --system rules --predictions FOLDER/sciai

and so on, as `TASKS` names them. Only figures are written, no text.
"""

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

from measuring import RESULTS, write_results

from spacy_gladis.research.leakage.formats import read_items
from spacy_gladis.research.leakage.predictions import score_predictions
from spacy_gladis.research.leakage.run import audit


class Task(NamedTuple):
    """Files of the benchmarks, or of the folder of answers, and the metric that the task is for."""

    train: str
    test: str
    answers: str
    metric: str


def extraction(answers: str) -> Task:
    return Task("sciai/dataset/train.json", "sciai/dataset/dev.json", answers, "macro_f1")


def verification(answers: str) -> Task:
    folder = "wic-tsv/data/en"
    train, test = f"{folder}/Training/train", f"{folder}/Development/dev"
    return Task(f"{train}_examples.txt", f"{test}_examples.txt", answers, "accuracy")


def split(name: str, system: str, metric: str) -> Task:
    """The rows of an evaluation that divides its set itself lie beside its answers."""
    train, test, answers = (f"{name}-{part}.jsonl" for part in ("train", "test", system))
    return Task(train, test, answers, metric)


SDU22 = "sdu22-ae/data/english/scientific"
TASKS = {
    "SciAI, rules": extraction("sciai/dev-rules.jsonl"),
    "SciAI, tagger over MPNet": extraction("sciai/dev-tagger_mpnet-model-best.jsonl"),
    "SDU-22 English scientific, rules": Task(
        f"{SDU22}/train.json",
        f"{SDU22}/dev.json",
        "sdu22/english-scientific-dev-rules.jsonl",
        "macro_f1",
    ),
    "WiC-TSV task 3, acrobert zero-shot": verification("wic/dev-task3-acrobert.txt"),
    "WiC-TSV task 3, cosines": verification("wic/dev-task3-cosines.txt"),
    "WiC-TSV task 3, MPNet bert-cls": verification("wic-mpnet/dev-task3-bert-cls.txt"),
    "WiC-TSV task 3, MPNet bert-joint": verification("wic-mpnet/dev-task3-bert-joint.txt"),
    "NCBI disease, ours": split("ncbi/published", "ours", "accuracy_at_1"),
    "BC5CDR, ours": split("bc5cdr/published", "ours", "accuracy_at_1"),
    "PsyTAR stratified (UMLS), ours": split("psytar/UMLS-stratified", "ours", "accuracy_at_1"),
    "AskAPatient fold 0, ours": split("askapatient/fold-0-published", "ours", "accuracy_at_1"),
    "SciAD closed, most-frequent": split("ad/sciad-closed", "most-frequent", "accuracy"),
    "SciAD closed, bm25": split("ad/sciad-closed", "bm25", "accuracy"),
    "SciAD closed, combined": split("ad/sciad-closed", "combined", "accuracy"),
}


def measure(task: Task, folders: tuple[Path, ...]) -> dict[str, Any]:
    """Similarities of the task's texts, and its metrics by them; a missing file ends it."""

    def find(name: str) -> Path:
        return next((one / name for one in folders if (one / name).is_file()), folders[0] / name)

    train, test, answers = map(find, task[:3])
    score = score_predictions(test, answers)
    report = audit(read_items(train), read_items(test), score)
    kept = {key: report[key] for key in ("texts", "metrics")}
    return {**task._asdict(), **kept}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("answers", type=Path, help="the folder of answers")
    parser.add_argument("--data", type=Path, default=Path("../shared/benchmarks"))
    parser.add_argument(
        "--only", nargs="+", choices=TASKS, metavar="TASK", help="all others keep their figures"
    )
    arguments = parser.parse_args()
    folders = (arguments.answers, arguments.data)
    path = RESULTS / "leakage_tasks.json"
    tasks = json.loads(path.read_text("utf8"))["tasks"] if arguments.only else {}
    tasks |= {name: measure(TASKS[name], folders) for name in arguments.only or TASKS}
    write_results(path, {"tasks": tasks})


if __name__ == "__main__":
    main()
