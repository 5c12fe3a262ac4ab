"""Train the detector's tagger on SDU-22's sets, one language after the other, and score it.

    python benchmarks/detector_languages.py ../shared/benchmarks/sdu22-ae/data --set danish
    python benchmarks/detector_languages.py DATA --set english/scientific --folds 2 \
        --start package:all-mpnet-base-v2 --output benchmarks/results/detector_mpnet.json

A set with dev.json is trained on train.json and scored on dev.json. One without is trained and
scored in `--folds` parts, each text scored by the tagger that did not see it. Every tenth text of
the training data is held out: it chooses between the rules alone and the ways of settling
contradictions between tagger and rules. All of these are scored as well. With `--start` the tagger
is over a transformer (`configs/detector_trf.cfg`), in English alone.
"""

import argparse
import json
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import spacy
from measuring import RESULTS, command, write_results
from spacy.cli.train import train
from spacy.tokens import DocBin

from spacy_gladis.metrics.identification import score_offsets
from spacy_gladis.research.datasets.files import json_list
from spacy_gladis.research.datasets.sdu22_ae import read_sdu22
from spacy_gladis.research.extraction.docbin import blank, convert
from spacy_gladis.research.extraction.run import as_json
from spacy_gladis.research.extraction.sciai.systems import Found, System, make_systems
from spacy_gladis.research.training.start import find_start

ROOT = Path(__file__).parents[1]
RESULT = RESULTS / "detector_languages.json"
TRANSFORMER_RATE = 1e-4
LANGUAGES = {  # "xx" where spaCy's own tokenizer needs another package
    "danish": "da",
    "english/legal": "en",
    "english/scientific": "en",
    "french": "fr",
    "persian": "fa",
    "spanish": "es",
    "vietnamese": "xx",
}
HELD_OUT = 10
WAYS: dict[str, dict[str, Any]] = {
    "prefer rules": {"prefer": "rules"},
    "prefer rules, threshold 0.2": {"prefer": "rules", "threshold": 0.2},
    "prefer rules, threshold 0": {"prefer": "rules", "threshold": 0.0},
    "prefer tagger": {"prefer": "tagger"},
}


def main() -> None:
    """Train and score the sets named, and write them into the results file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--set", choices=LANGUAGES, action="append", required=True)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--start", help="a transformer, as 'train start' takes it")
    parser.add_argument("--output", type=Path, default=RESULT)
    given = parser.parse_args()
    start = find_start(given.start) if given.start else None
    results = json.loads(given.output.read_text("utf8")) if given.output.exists() else {"sets": {}}
    results |= {
        "command": command(),
        "measure": "exact offsets, macro over short and long (SDU-22)",
    }
    for name in given.set:
        began = time.process_time()
        found = measure(given.data / name, LANGUAGES[name], given.folds, given.epochs, start)
        found["cpu_seconds"] = round(time.process_time() - began)
        results["sets"][name] = found
        write_results(given.output, results)
        for system, scores in found["systems"].items():
            print(f"{name}: {system}: {100 * scores['macro']['f1']:.1f}")


def measure(
    folder: Path, language: str, folds: int, epochs: int, start: Path | None
) -> dict[str, Any]:
    """The scores of rules and tagger on a set."""
    gold: list[Found] = []
    found: dict[str, list[Found]] = defaultdict(list)
    chosen = []
    items = json_list(folder / "train.json")
    dev = folder / "dev.json"
    if dev.exists():
        parts = [(items, json_list(dev))]
    else:
        parts = [
            ([one for n, one in enumerate(items) if n % folds != fold], items[fold::folds])
            for fold in range(folds)
        ]
    for seen, test in parts:
        held_out = seen[::HELD_OUT]
        training = [one for n, one in enumerate(seen) if n % HELD_OUT]
        with tempfile.TemporaryDirectory() as work:
            systems = trained(training, language, Path(work), epochs, start)
            right, answers = answer(systems, held_out, Path(work))
            f1 = {way: score_offsets(right, one).macro.f1 for way, one in answers.items()}
            best = max(f1, key=lambda way: f1[way])
            chosen.append({"system": best, "held-out macro f1": f1})
            right, answers = answer(systems, test, Path(work))
        gold += right
        for way, spans in [*answers.items(), ("chosen", answers[best])]:
            found[way] += spans
    scores = {system: as_json(score_offsets(gold, spans)) for system, spans in found.items()}
    return {
        "scored on": "dev.json" if dev.exists() else f"{folds}-fold on train.json",
        "texts": len(gold),
        "epochs": epochs,
        "chosen": chosen,
        "systems": scores,
    }


def answer(
    systems: dict[str, System], items: list[dict[str, Any]], work: Path
) -> tuple[list[Found], dict[str, list[Found]]]:
    """What people marked in items, and what each system finds."""
    path = work / "items.json"
    path.write_text(json.dumps(items), "utf8")
    paragraphs = read_sdu22(path).paragraphs
    texts = [one.text for one in paragraphs]
    gold = [Found(set(one.short), set(one.long)) for one in paragraphs]
    return gold, {name: list(find(texts)) for name, find in systems.items()}


def trained(
    items: list[dict[str, Any]], language: str, work: Path, epochs: int, start: Path | None
) -> dict[str, System]:
    """The rules, and a pipeline trained on items in every way of settling."""
    path = work / "train.json"
    path.write_text(json.dumps(items), "utf8")
    docs = convert(path, blank(language))[0]
    words = sum(map(len, docs))
    DocBin(docs=docs).to_disk(work / "train.spacy")
    DocBin(docs=docs[:50]).to_disk(work / "few.spacy")
    steps = epochs * words // (1800 if start else 1000)
    overrides: dict[str, Any] = {
        "nlp.lang": language,
        "paths.train": str(work / "train.spacy"),
        "paths.dev": str(work / "few.spacy"),  # nothing is chosen by it
        "training.max_epochs": epochs,
        "training.eval_frequency": 10 * steps,
        "training.optimizer.learn_rate.total_steps": steps,
        "training.optimizer.learn_rate.warmup_steps": steps // 10,
    }
    if start:
        overrides["components.transformer.model.name"] = str(start)
        overrides["training.optimizer.learn_rate.initial_rate"] = TRANSFORMER_RATE
        overrides["training.batcher.size"] = 1000  # half of the memory
        overrides["training.accumulate_gradient"] = 2
    name = "detector_trf.cfg" if start else "detector_tagger.cfg"
    train(ROOT / "configs" / name, work / "out", overrides=overrides)
    folders = []
    for way, settings in WAYS.items():
        nlp = spacy.load(work / "out" / "model-last")
        nlp.get_pipe("acronym_detector").cfg.update(settings)  # type: ignore[attr-defined]
        nlp.to_disk(work / way)
        folders.append(str(work / way))
    systems = make_systems(["rules", *folders])
    return {Path(name).name: system for name, system in systems.items()}


if __name__ == "__main__":
    main()
