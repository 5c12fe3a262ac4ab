"""What `nlp.update` teaches of new senses, and what it costs the old ones.

Needs nothing but the package:

    python benchmarks/update.py --output benchmarks/results/update.json

Five acronyms get a new sense each, without any prior of own entries, and 200 labelled sentences of
it for three epochs, alone and with sentences of the old senses mixed in. Of these one half of the
templates is trained on and the other half asked, then the other way round.

With --save, the pipeline taught the new senses and a half of the old is saved; its weights,
FOLDER/acrobert_linker/model, go to `spacy-gladis evaluate gladis --model`.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.support.house_senses import Labelled, new_senses, old, old_half, training
from tests.support.teaching import BATCH, EPOCHS, accuracy, make_pipeline, train


def measure(mixed: Sequence[Labelled], asked: Sequence[Labelled]) -> dict[str, Any]:
    """Train on the new senses and what is mixed in; ask the new senses' other sentences and old."""
    nlp = make_pipeline()
    before = {"new": accuracy(nlp, new_senses()), "old": accuracy(nlp, asked)}
    start = time.process_time()
    losses = train(nlp, [*training(), *mixed])
    return {
        "mixed_in": len(mixed),
        "asked": {"new": len(new_senses()), "old": len(asked)},
        "before": before,
        "after": {"new": accuracy(nlp, new_senses()), "old": accuracy(nlp, asked)},
        "losses": losses,
        "cpu_seconds": round(time.process_time() - start, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    halves = [old_half(0), old_half(1)]
    result = {
        "command": "python benchmarks/update.py --output benchmarks/results/update.json",
        "epochs": EPOCHS,
        "batch": BATCH,
        "alone": measure([], old()),
        "mixed": [measure(halves[0], halves[1]), measure(halves[1], halves[0])],
    }
    options.output.write_text(json.dumps(result, indent=1) + "\n", "utf8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
