"""How many of an acronym's mentions in a document must be read in their contexts.

    python benchmarks/contexts.py ../shared/corpus

Mentions that their documents define, far from where the long form is spelt out, are resolved as if
they were not defined: the right answer is known. The linker, which is not shown the document's own
phrases, reads the first 1, 2, 3 ... of each acronym in a document, and the other mentions take the
mean. The documents are not those by which the default was chosen; the dictionary was mined from
both.
"""

import argparse
import random
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import torch
from annotate import sample_texts
from measuring import RESULTS, write_results

from spacy_gladis.dictionary import Candidate, Dictionary
from spacy_gladis.modeling import AcroBERT, Disambiguator
from spacy_gladis.rules import Mention, defined_mentions, find_definitions, merge_key

RESULT = RESULTS / "contexts.json"
EACH = 100
"""Documents of a shard; as many before them chose the default."""
FAR = 1000
"""Characters around a mention that must not spell its long form."""
MOST = 60
"""Candidates: more take their vectors' time."""


class Question(NamedTuple):
    """A mention, and the merge key of what its document says it is."""

    mention: Mention
    right: str


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--mentions", type=int, default=1500)
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    dictionary = Dictionary.open()
    questions = ask(options.corpus, dictionary, options.mentions)
    linker = Disambiguator(AcroBERT.load(), dictionary, phrases=False)
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


def ask(corpus: Path, dictionary: Dictionary, most: int) -> list[Question]:
    """Mentions of acronyms whose document has their long form, and has it somewhere else."""
    shards = len(list(corpus.glob("*.jsonl.zst")))
    texts = sample_texts(corpus, 2 * EACH * shards)
    texts = [text for number, text in enumerate(texts) if number % (2 * EACH) >= EACH]
    random.Random(0).shuffle(texts)
    known: dict[str, list[Candidate]] = {}
    questions: list[Question] = []
    for document, text in enumerate(texts):
        definitions = find_definitions(text)
        for (start, end), index in defined_mentions(text, definitions).items():
            long_form = text[slice(*definitions[index].long_form)]
            if long_form.lower() in text[max(0, start - FAR) : end + FAR].lower():
                continue
            acronym = text[start:end]
            if acronym not in known:
                known[acronym] = dictionary.lookup(acronym)
            keys = [merge_key(one.long_form) for one in known[acronym]]
            if 1 < len(keys) < MOST and merge_key(long_form) in keys:
                mention = Mention(text, start, end, document)
                questions.append(Question(mention, merge_key(long_form)))
        if len(questions) >= most:
            break
    return questions


if __name__ == "__main__":
    main()
