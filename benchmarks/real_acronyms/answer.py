"""The answers of this package to exported texts: `python answer.py GOLD ANSWERS`."""

import argparse
import json
from pathlib import Path

from spacy_gladis.pipeline.annotations import mentions_of
from spacy_gladis.pipeline.learn import linker_of
from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.settings import RANKINGS


def main() -> None:
    """Write one row of answers a text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("answers", type=Path)
    parser.add_argument("--ranking", choices=RANKINGS, default="retriever")
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.gold.read_text("utf8").splitlines()]
    nlp = load_pipeline()
    linker_of(nlp).configure(ranking=given.ranking)
    with given.answers.open("w", encoding="utf8") as file:
        for row, doc in zip(rows, nlp.pipe(row["text"] for row in rows), strict=True):
            mentions = [
                {"start": start, "end": end, "long_form": answer.long_form}
                for start, end, answer in mentions_of(doc)
            ]
            file.write(json.dumps({"id": row["id"], "mentions": mentions}) + "\n")


if __name__ == "__main__":
    main()
