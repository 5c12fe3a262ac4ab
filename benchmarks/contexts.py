"""How many of an acronym's mentions in a document must be read in their contexts.

    python benchmarks/contexts.py ../shared/corpus

Mentions that their documents define, far from where the long form is spelt out, are resolved as if
they were not defined: the right answer is known. The linker, which is not shown the document's own
phrases, reads the first 1, 2, 3 ... of each acronym in a document, and the other mentions take the
mean. The questions are those of `frozen_rows.py`; the documents are not those by which the default
was chosen, and the dictionary was mined from both (`held_out.py` keeps them out).
"""

import argparse
from collections import defaultdict
from pathlib import Path

import torch
from frozen_rows import read_questions
from measuring import RESULTS, write_results

from spacy_gladis.dictionary import Dictionary
from spacy_gladis.modeling import AcroBERT, Disambiguator
from spacy_gladis.rules import merge_key

RESULT = RESULTS / "contexts.json"


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    questions = read_questions(options.corpus, "mentions")
    linker = Disambiguator(AcroBERT.load(), Dictionary.open(), phrases=False)
    mentions = [one.mention for one in questions]
    groups: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for place, one in enumerate(mentions):
        groups[one.document, one.acronym].append(place)
    rows = {}
    for number in (1, 2, 3, 4, 8, None):
        linker.contexts = number
        answers = linker.resolve(mentions)
        right = [
            bool(answer) and merge_key(answer[0][0].long_form) == one.right
            for answer, one in zip(answers, questions, strict=True)
        ]
        means = [sum(right[place] for place in group) / len(group) for group in groups.values()]
        rows[str(number or "all")] = {
            "read": sum(min(len(group), number or len(group)) for group in groups.values()),
            "accuracy": round(sum(right) / len(right), 4),
            "mean_of_acronyms": round(sum(means) / len(means), 4),
        }
    write_results(
        options.output,
        {
            "documents": len({one.mention.document for one in questions}),
            "acronyms_in_documents": len(groups),
            "mentions": len(questions),
            "discourse": linker.discourse,
            "by_contexts_read": rows,
        },
    )


if __name__ == "__main__":
    main()
