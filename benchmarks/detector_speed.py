"""Measure the detector's cost: rules alone, with a tagger, and spaCy's NER of the same width.

    python benchmarks/detector_speed.py ../shared/benchmarks/sciai/dataset/dev.json TAGGER

Words of the file's first sentences a second of CPU time, cutting into tokens apart. The tagger is
one that `configs/detector_tagger.cfg` trained, the NER has random weights. Each is measured in
turn, and the better of two rounds counts.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from thinc.api import Config

from spacy_gladis.files import writing
from spacy_gladis.research.extraction.docbin import convert

ROOT = Path(__file__).parents[1]
RESULT = ROOT / "benchmarks" / "results" / "detector_speed.json"
ROUNDS = 2
SENTENCES = 600
COMMAND = "python benchmarks/detector_speed.py ../shared/benchmarks/sciai/dataset/dev.json TAGGER"


def main() -> None:
    """Measure, and write the results file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("tagger", type=Path)
    given = parser.parse_args()
    docs = convert(given.data, spacy.blank("en"))[0][:SENTENCES]
    texts = [doc.text for doc in docs]
    words = sum(map(len, docs))
    taggers = Config().from_disk(ROOT / "configs" / "detector_tagger.cfg")
    tagger = taggers["components"]["acronym_detector"]["model"]
    ner = {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "ner",
        "extra_state_tokens": False,
        "hidden_width": 64,
        "maxout_pieces": 2,
        "use_upper": True,
        "tok2vec": tagger["tok2vec"],
    }
    systems = {
        "rules": pipeline("acronym_detector", {}),
        "rules and tagger": spacy.load(given.tagger),
        "spaCy's NER": pipeline("ner", {"model": ner}),
    }
    component: Any = systems["spaCy's NER"].get_pipe("ner")
    for label in ("ACRONYM", "LONG_FORM"):
        component.add_label(label)
    systems["spaCy's NER"].initialize()
    best = dict.fromkeys(systems, float("inf"))
    for _ in range(ROUNDS):
        for name, nlp in systems.items():
            made = [nlp.make_doc(text) for text in texts]
            began = time.process_time()
            for _doc in nlp.pipe(made, batch_size=64):
                pass
            best[name] = min(best[name], time.process_time() - began)
    results: dict[str, Any] = {
        "command": COMMAND,
        "words": words,
        "words_per_cpu_second": {name: round(words / seconds) for name, seconds in best.items()},
    }
    with writing(RESULT) as temporary:
        temporary.write_text(json.dumps(results, indent=1) + "\n", "utf8")
    print(json.dumps(results["words_per_cpu_second"], indent=1))


def pipeline(component: str, settings: dict[str, Any]) -> Language:
    """A pipeline of one component."""
    nlp = spacy.blank("en")
    nlp.add_pipe(component, config=settings)
    return nlp


if __name__ == "__main__":
    main()
