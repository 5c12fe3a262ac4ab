"""Measure the linker against the published way: a pass of a BERT-base for every candidate.

    python benchmarks/linker.py ../shared/benchmarks/gladis

Mentions of the Bio-UMLS set, by their number of candidates, are answered by both in one process;
CPU seconds count. The published way has a BERT of the base's size with random weights: it costs
what the trained one costs.
"""

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measuring import RESULTS, cpu_seconds, write_results

RANGES = {"2-9": (2, 10), "10-99": (10, 100), "100+": (100, 10**6)}


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder of the GLADIS sets")
    parser.add_argument("--mentions", type=int, default=200, help="of each range, for the linker")
    parser.add_argument("--passes", type=int, default=400, help="of the published way, a range")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, default=RESULTS / "linker.json")
    options = parser.parse_args()
    write_results(options.output, {"threads": options.threads, "by_candidates": speed(options)})


def speed(options: argparse.Namespace) -> dict[str, Any]:
    """Mentions a CPU second of both ways, by the number of candidates."""
    import torch

    from spacy_gladis.dictionary import Dictionary
    from spacy_gladis.linking import AcroBERT
    from spacy_gladis.research.tasks.disambiguation.sets import read_sets, with_counts

    torch.set_num_threads(options.threads)
    dictionary, model, base = Dictionary.open(), AcroBERT.load(), bert_base()
    [evaluation_set] = [
        data for data in read_sets(options.data, dictionary) if data.name == "bio_umls"
    ]
    evaluation_set = with_counts(evaluation_set, "dictionary", dictionary)
    rows = list(zip(evaluation_set.samples, evaluation_set.candidates, strict=True))
    figures = {}
    for name, (least, most) in RANGES.items():
        chosen = [row for row in rows if least <= len(row[1]) < most]
        chosen = random.Random(0).sample(chosen, min(options.mentions, len(chosen)))
        ours = ask(model, dictionary, chosen)
        published = ask_base(base, chosen, options.passes)
        figures[name] = {"linker": ours, "bert_base": published}
        print(name, json.dumps(figures[name]), file=sys.stderr)
    return figures


def ask(model: Any, dictionary: Any, rows: Sequence[Any]) -> dict[str, Any]:
    """Speed of the linker, with vectors of long forms to compute and without, and what is right."""
    from spacy_gladis.linking import Linker

    linker = Linker(model, dictionary)
    mentions = [row.mention._replace(document=number) for number, (row, _) in enumerate(rows)]
    candidates = [options for _, options in rows]
    cold = cpu_seconds(lambda: linker.score_candidates(mentions, candidates))
    warm = cpu_seconds(lambda: linker.score_candidates(mentions, candidates))
    logits = linker.score_candidates(mentions, candidates)
    right = [
        options[int(values.argmax())].long_form == sample.long_form
        for values, (sample, options) in zip(logits, rows, strict=True)
    ]
    return {
        "mentions": len(rows),
        "accuracy": round(sum(right) / len(right), 3),
        "mentions_per_cpu_second": round(len(rows) / warm, 2),
        "mentions_per_cpu_second_cold": round(len(rows) / cold, 2),
    }


def ask_base(base: Any, rows: Sequence[Any], passes: int) -> dict[str, Any]:
    """Speed of the published way, on as many of the mentions as `passes` passes answer."""
    taken = 1
    while taken < len(rows) and sum(len(options) for _, options in rows[: taken + 1]) <= passes:
        taken += 1
    contexts = [sample.mention for sample, _ in rows[:taken]]
    names = [[option.long_form for option in options] for _, options in rows[:taken]]
    seconds = cpu_seconds(lambda: base.score(contexts, names))
    return {"mentions": taken, "mentions_per_cpu_second": round(taken / seconds, 3)}


def bert_base() -> Any:
    """A BERT of the base's size, with the window of the published AcroBERT's sentences."""
    from dataclasses import replace

    from spacy_gladis.linking import AcroBERT
    from spacy_gladis.research.training.next_sentence import NextSentenceBERT, NextSentenceNetwork

    packaged = AcroBERT.load()
    config = replace(
        packaged.weights.config,
        hidden_size=768,
        num_hidden_layers=12,
        num_attention_heads=12,
        intermediate_size=3072,
    )
    return NextSentenceBERT(NextSentenceNetwork(config), packaged.pieces, window=64)


if __name__ == "__main__":
    main()
