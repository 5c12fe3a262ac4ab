"""Frozen questions, put to the package as it is and with all that their documents gave it kept out.

    python benchmarks/held_out.py ../shared/corpus samples.jsonl phrases.jsonl --older ../older

"documents_kept_out": the dictionary less the counts of what these documents define, an entry with
nothing left gone, and the centroids of the senses that they give the acronyms asked about made anew
of contexts in other documents, or gone where there are none (`kept_out.py`). The network, the
topics, the axes of the likelihood and the weights of the evidence stay. The samples are what
`corpus extract` and `corpus phrases` give. older: a checkout of an older version, whose answers a
process of its own gives; its memory keeps what the documents gave it.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # an older version's process has no such modules
    from frozen_rows import Question

    from spacy_gladis.dictionary import Dictionary

RESULT = Path(__file__).parent / "results" / "held_out.json"
COVERAGES = (0.5, 0.7, 0.9, 1.0)
THRESHOLD = 0.5

Answer = tuple[str, float]
"""The likeliest long form and its probability; "" where there is no candidate."""


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("samples", type=Path, nargs="*")
    parser.add_argument("--older", type=Path)
    parser.add_argument("--work", type=Path, help="keeps what is made of the package's data")
    parser.add_argument("--mentions", default="mentions")
    parser.add_argument("--held-out", default="held-out")
    parser.add_argument("--output", type=Path, default=RESULT)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(answers_of(options.child)))
        return
    from frozen_rows import documents_of, read_questions, read_rows
    from kept_out import definitions_of, forget, write_without
    from measuring import write_results

    from spacy_gladis.dictionary import Dictionary
    from spacy_gladis.files import write_json
    from spacy_gladis.modeling import AcroBERT
    from spacy_gladis.modeling.coded_vectors import sense_key
    from spacy_gladis.rules import base_form

    documents = documents_of(options.corpus, read_rows())
    asked = {
        name: read_questions(options.corpus, part, documents=documents)
        for name, part in (("mentions", options.mentions), ("held_out", options.held_out))
    }
    defined = definitions_of(documents.values())
    acronyms = {base_form(row.acronym) for row in read_rows()}
    senses = {sense_key(one.long_form) for one in defined if base_form(one.acronym) in acronyms}
    figures: dict[str, Any] = {"documents": len(documents)}
    with TemporaryDirectory() as temporary:
        folder = options.work or Path(temporary)
        less, memory = folder / "less.gladis", folder / "memory"
        if not memory.is_dir():
            lowered = write_without(Dictionary.open(), defined, less)
            model, made = forget(AcroBERT.load(), options.samples, documents, senses)
            model.save(memory, compact=True)
            write_json(folder / "made.json", {**lowered, **made})
        figures["made"] = json.loads((folder / "made.json").read_text("utf8"))
        figures["as_packaged"] = measure(asked, {})
        figures["documents_kept_out"] = measure(asked, {"dictionary": less, "model": memory})
        if options.older:
            older = options.older.resolve()
            packaged, fewer = older / "spacy_gladis/data/dictionary.gladis", folder / "older.gladis"
            write_without(Dictionary.open(packaged), defined, fewer)
            figures["older"] = measure(asked, {"dictionary": packaged}, older)
            figures["older_counts_kept_out"] = measure(asked, {"dictionary": fewer}, older)
    write_results(options.output, figures)


def measure(
    asked: dict[str, list["Question"]], files: dict[str, Path], tree: Path | None = None
) -> dict[str, Any]:
    """The figures of all questions, answered by the package of a tree with these files."""
    from spacy_gladis.dictionary import Dictionary

    dictionary = Dictionary.open(files.get("dictionary"))
    content = {
        "files": {name: str(path) for name, path in files.items()},
        **{name: [tuple(one.mention) for one in questions] for name, questions in asked.items()},
    }
    found = child(tree, content)
    mentions, held_out = asked["mentions"], asked["held_out"]
    return {
        "mentions": figures_of_mentions(mentions, found["mentions"]),
        "held_out": figures_of_held_out(held_out, found["held_out"], dictionary),
        "held_out_in_company": figures_of_held_out(held_out, found["in_company"], dictionary),
    }


def child(tree: Path | None, content: dict[str, Any]) -> dict[str, list[Answer]]:
    """The answers of a fresh process with the package of a tree."""
    environment = dict(os.environ)
    if tree:
        environment["PYTHONPATH"] = str(tree)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "questions.json"
        path.write_text(json.dumps(content), "utf8")
        call = [sys.executable, __file__, ".", "--child", str(path)]
        done = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    found: dict[str, list[Answer]] = json.loads(done.stdout.splitlines()[-1])
    return found


def answers_of(path: Path) -> dict[str, list[Answer]]:
    """What this process's version of the package answers: mentions in their documents, held-out
    ones by themselves, and these in company of the other acronyms of their text."""
    import torch

    from spacy_gladis.dictionary import Dictionary
    from spacy_gladis.modeling import AcroBERT, Disambiguator

    torch.set_num_threads(1)
    content = json.loads(path.read_text("utf8"))
    dictionary = Dictionary.open(content["files"].get("dictionary"))
    model = AcroBERT.load(content["files"].get("model"))
    make = import_module("spacy_gladis.modeling.disambiguator").Mention
    old = make._fields[0] == "acronym"

    def mention(text: str, start: int, end: int, document: int) -> Any:
        return make(*([text[start:end]] if old else []), text, start, end, document)

    def first(found: Sequence[Any]) -> list[Answer]:
        return [(one[0][0].long_form, one[0][1]) if one else ("", 0.0) for one in found]

    mentions = [mention(*one) for one in content["mentions"]]
    alone = [mention(one[0], one[1], one[2], at) for at, one in enumerate(content["held_out"])]
    own_phrases: dict[str, Any] = {} if old else {"phrases": False}
    return {
        "mentions": first(Disambiguator(model, dictionary, **own_phrases).resolve(mentions)),
        "held_out": first(Disambiguator(model, dictionary).resolve(alone)),
        "in_company": list(in_company(content["held_out"], content["files"])),
    }


def in_company(questions: Sequence[Sequence[Any]], files: dict[str, str]) -> Iterator[Answer]:
    """The answers of the pipeline, which finds and resolves the other acronyms of a text, too."""
    import spacy

    # The entry points are those of the installed version: the factories register themselves.
    spacy.util.registry._entry_point_factories.entry_points = False
    import_module("spacy_gladis.pipeline.acronym_detector")
    import_module("spacy_gladis.pipeline.acrobert_linker")
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    config: dict[str, Any] = {"dictionary": files.get("dictionary")}
    if "model" in files:
        architecture = "spacy-gladis.AcroBERT.v1"
        config["model"] = {"@architectures": architecture, "path": files["model"]}
    nlp.add_pipe("acrobert_linker", config=config)
    docs = nlp.pipe(one[0] for one in questions)
    for (_, start, end, _), doc in zip(questions, docs, strict=True):
        near = [
            span._.resolution
            for span in doc.spans["acronyms"]
            if span.start_char < end and start < span.end_char
        ]
        found = near[0] if near else None
        yield (found.candidates[0] if found.candidates else ("", 0.0)) if found else ("", 0.0)


def figures_of_mentions(
    questions: Sequence["Question"], answers: Sequence[Answer]
) -> dict[str, float]:
    """The share of mentions answered rightly, and its mean over acronyms in documents."""
    from spacy_gladis.dictionary.spellings import same_meaning
    from spacy_gladis.rules import merge_key

    exact = [
        merge_key(name) == one.right for (name, _), one in zip(answers, questions, strict=True)
    ]
    meant = [
        same_meaning(name, one.long_form) for (name, _), one in zip(answers, questions, strict=True)
    ]
    return {
        "exact": share(exact),
        "by_meaning": share(meant),
        "exact_mean_of_acronyms": mean_of_acronyms(questions, exact),
        "by_meaning_mean_of_acronyms": mean_of_acronyms(questions, meant),
    }


def mean_of_acronyms(questions: Sequence["Question"], right: Sequence[bool]) -> float:
    """The mean share of right answers over acronyms in documents."""
    groups: defaultdict[tuple[int, str], list[bool]] = defaultdict(list)
    for one, value in zip(questions, right, strict=True):
        groups[one.mention.document, one.mention.acronym].append(value)
    return share([sum(group) / len(group) for group in groups.values()])


def figures_of_held_out(
    questions: Sequence["Question"], answers: Sequence[Answer], dictionary: "Dictionary"
) -> dict[str, Any]:
    """Accuracy, calibration error and precision by share answered; spellings of one meaning are
    one, and what the dictionary does not have counts as wrong."""
    from spacy_gladis.dictionary.spellings import same_meaning
    from spacy_gladis.metrics.calibration import expected_calibration_error, precision_at_coverage

    right, known = [], []
    for (name, _), one in zip(answers, questions, strict=True):
        right.append(same_meaning(name, one.long_form))
        options = dictionary.lookup(one.mention.acronym)
        known.append(any(same_meaning(option.long_form, one.long_form) for option in options))
    sure = [min(1.0, probability) for _, probability in answers]
    given = [probability >= THRESHOLD for probability in sure]
    precisions = precision_at_coverage(sure, right, COVERAGES)
    return {
        "in_dictionary": sum(known),
        "accuracy_in_dictionary": share([a for a, b in zip(right, known, strict=True) if b]),
        "accuracy_best_guess": share(right),
        "answered": share(given),
        "precision": share([a for a, b in zip(right, given, strict=True) if b]),
        "expected_calibration_error": round(expected_calibration_error(sure, right), 4),
        "precision_at_coverage": {
            str(coverage): round(value, 4)
            for coverage, value in zip(COVERAGES, precisions, strict=True)
        },
    }


def share(values: Sequence[float]) -> float:
    """The mean, rounded."""
    return round(sum(values) / len(values), 4)


if __name__ == "__main__":
    main()
