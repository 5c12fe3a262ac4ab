"""This package beside the others that find acronyms' definitions: the same rows, one run.

    pip install acronymkit  # the others come with the extra bench
    python benchmarks/comparison.py ../shared/benchmarks

Definitions: the pairs of Ab3P's 1,250 abstracts, exact, distinct in a document, and the CPU
seconds that a system takes for all of them, the least of several rounds in turns. Undefined
acronyms: the mentions of hand-written passages that the text explains nowhere; right are a gold
long form and the same sense in other words. A system that only reads definitions answers a mention
by what it found for that acronym in the passage. AcronymKit chooses among long forms that one gives
it: it gets those of the packaged dictionary, and the mentions; so does the line of the first
candidate. This package gets the bare text.
"""

import argparse
import json
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import spacy
from measuring import RESULTS, write_results

from spacy_gladis.dictionary import Dictionary
from spacy_gladis.metrics.identification import precision_recall_f1
from spacy_gladis.pipeline.annotations import definitions_of
from spacy_gladis.research.datasets.bioc import Pair, read_bioc
from spacy_gladis.research.datasets.texts import GoldMention, LabelledText, read_texts
from spacy_gladis.research.tasks.definitions.system import make_finder
from spacy_gladis.research.tasks.texts.data import Gold
from spacy_gladis.research.tasks.texts.rows import equalities, make_rows
from spacy_gladis.research.tasks.texts.systems.pipeline import Pipeline

System = Callable[[str], set[Pair]]

RESULT = RESULTS / "comparison.json"
PAGE = RESULTS.parents[1] / "docs" / "explanation" / "comparison.md"
PEERS = ("scispacy", "abbreviations", "abbreviation_extractor", "pyab3p")
OURS, ACRONYMKIT = "spacy_gladis", "acronymkit"
TABLES = {
    "definitions": ("precision", "recall", "f1", "words_per_cpu_second"),
    "undefined": ("right", "answered", "precision"),
}
"""The figures of each table on the page, between the marks of its name."""

Answer = Callable[[LabelledText, GoldMention], str | None]


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("benchmarks", type=Path, nargs="?", help="none: the page alone")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    if options.benchmarks:
        measure(options)
    results = json.loads(RESULT.read_text("utf8"))
    PAGE.write_text(with_tables(PAGE.read_text("utf8"), results), "utf8")


def with_tables(page: str, results: dict[str, Any]) -> str:
    """The page with the tables of the results between its marks."""
    rows = {
        "definitions": {
            f"{name} {results['versions'][name]}": figures
            for name, figures in results["definitions"].items()
        },
        "undefined": results["undefined"]["systems"],
    }
    for name, keys in TABLES.items():
        before, begin, rest = page.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        lines = [["", *(key.replace("_", " ") for key in keys)], ["---", *["--:"] * len(keys)]]
        lines += [[who, *(shown(row[key]) for key in keys)] for who, row in rows[name].items()]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        page = f"{before}{begin}\n{table}\n\n{end}{after}"
    return page


def shown(figure: float | None) -> str:
    """A share in percent, a speed in words, or nothing."""
    if figure is None:
        return ""
    return f"{figure:,}" if figure > 1 else f"{100 * figure:.1f}"


def measure(options: argparse.Namespace) -> None:
    """Measure, and write the results file."""
    systems = {
        OURS: ours(),
        **{peer: make_finder(peer) for peer in PEERS},
        ACRONYMKIT: acronymkit(),
    }
    abstracts = read_bioc(options.benchmarks / "bioc" / "Ab3P-BioC" / "Ab3P_bioc_gold.xml")
    passages = read_texts(options.benchmarks / "passages" / "dev.jsonl")
    gold = {(n, pair) for n, abstract in enumerate(abstracts) for pair in abstract.definitions}
    predictions: dict[str, list[set[Pair]]] = {}
    seconds = dict.fromkeys(systems, float("inf"))
    for _ in range(options.rounds):
        for name, find in systems.items():
            began = time.process_time()
            predictions[name] = [find(abstract.text) for abstract in abstracts]
            seconds[name] = min(seconds[name], time.process_time() - began)
    words = sum(len(abstract.text.split()) for abstract in abstracts)
    write_results(
        options.output,
        {
            "versions": {name: version(name.replace("_", "-")) for name in systems},
            "definitions": {
                name: {
                    **precision_recall_f1(
                        gold, {(n, pair) for n, row_pairs in enumerate(pairs) for pair in row_pairs}
                    )._asdict(),
                    "cpu_seconds": round(seconds[name], 2),
                    "words_per_cpu_second": round(words / seconds[name]),
                }
                for name, pairs in predictions.items()
            },
            "abstracts": len(abstracts),
            "words": words,
            "undefined": undefined(passages, systems),
        },
    )


def ours() -> System:
    """The detector in a spaCy pipeline, as the others are called: a text in, its pairs out."""
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")

    def find(text: str) -> set[Pair]:
        definitions = definitions_of(nlp(text))
        return {
            (text[slice(*definition.acronym)], definition.words(text)) for definition in definitions
        }

    return find


def acronymkit() -> System:
    """AcronymKit's extraction with its own settings."""
    from acronymkit import AcronymEngine

    engine = AcronymEngine()
    return lambda text: {
        (definition.short_form, definition.long_form)
        for definition in engine.extract_definitions(text)
    }


def undefined(passages: list[LabelledText], systems: Mapping[str, System]) -> dict[str, Any]:
    """What each system says of the mentions that no text explains."""
    dictionary = Dictionary.open()
    answers: dict[str, Answer] = {
        name: by_definitions(find, passages) for name, find in systems.items() if name != OURS
    }
    answers[f"{ACRONYMKIT} over the packaged dictionary"] = by_acronymkit(dictionary)
    answers["first candidate of the packaged dictionary"] = by_counts(dictionary)
    mentions = [
        (text, mention)
        for text in passages
        for mention in text.mentions
        if mention.long_forms and not mention.defined
    ]
    same = equalities()["by sense"]

    def scores(said: list[tuple[GoldMention, str | None]]) -> dict[str, Any]:
        given = [(mention.long_forms, form) for mention, form in said if form]
        right = sum(any(same(gold, form) for gold in golds) for golds, form in given)
        answered = len(given)
        return {
            "right": round(right / len(said), 4),
            "answered": round(answered / len(said), 4),
            "precision": round(right / answered, 4) if answered else None,
        }

    pipeline = Pipeline()
    pipeline.fit(None)
    rows = make_rows(Gold(passages, {}), pipeline.predict(passages))
    absent = [
        (row.mention, row.answer and row.answer.long_form)
        for row in rows
        if row.mention.long_forms and not row.mention.defined
    ]
    return {
        "mentions": len(mentions),
        "systems": {
            OURS: scores(absent),
            **{
                name: scores([(mention, answer(text, mention)) for text, mention in mentions])
                for name, answer in answers.items()
            },
        },
    }


def by_definitions(find: System, passages: list[LabelledText]) -> Answer:
    """Answers by the definitions that a system finds in the passage itself."""
    pairs = {text.name: dict(find(text.text)) for text in passages}
    return lambda text, mention: pairs[text.name].get(mention.acronym)


def by_counts(dictionary: Dictionary) -> Answer:
    """The commonest long form, whatever the text."""

    def answer(_: LabelledText, mention: GoldMention) -> str | None:
        candidates = dictionary.lookup(mention.acronym)
        return candidates[0].long_form if candidates else None

    return answer


def by_acronymkit(dictionary: Dictionary) -> Answer:
    """AcronymKit's choice among the packaged dictionary's long forms, by the whole passage."""
    from acronymkit import AcronymEngine
    from acronymkit.disambiguation import ExpansionDictionary

    engine = AcronymEngine()

    def answer(text: LabelledText, mention: GoldMention) -> str | None:
        forms = [candidate.long_form for candidate in dictionary.lookup(mention.acronym)]
        if not forms:
            return None
        forms_dictionary = ExpansionDictionary({mention.acronym: forms})
        result = engine.disambiguate(mention.acronym, text.text, dictionary=forms_dictionary)
        chosen: str | None = result.primary_expansion
        return chosen

    return answer


if __name__ == "__main__":
    main()
