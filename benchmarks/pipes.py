"""Both components in `nlp.pipe`, beside scispacy's two and beside bare tokenisation.

    python benchmarks/pipes.py ../shared/corpus

Words a CPU second of one thread over the same documents, each pipeline in a process of its own, in
which it has read them once before (our vectors of long forms are then computed). scispacy's
`EntityLinker` links the abbreviations that its `AbbreviationDetector` found, expanded, to a small
knowledge base that is made here: so many of our dictionary's long forms, a concept each. (Its
published knowledge bases are not needed.)
"""

import argparse
import contextlib
import io
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measuring import (
    RESULTS,
    cpu_seconds,
    in_process,
    peak_megabytes,
    sample_texts,
    write_results,
)


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=48)
    parser.add_argument("--names", type=int, default=3000, help="of scispacy's knowledge base")
    parser.add_argument("--only", choices=list(PIPELINES), help="measure one, and print it")
    options = parser.parse_args()
    if options.only:
        print(json.dumps(measure(options)))
        return
    given = (options.corpus, "--documents", options.documents, "--names", options.names)
    rows = {name: in_process(__file__, *given, "--only", name) for name in PIPELINES}
    rates = {name: row["words_per_cpu_second"] for name, row in rows.items()}
    write_results(
        RESULTS / "pipes.json",
        {
            "documents": options.documents,
            "names_in_scispacys_knowledge_base": options.names,
            "pipelines": rows,
            "times_scispacy": {
                "detector": round(rates["detector"] / rates["scispacy_detector"], 1),
                "both": round(rates["both"] / rates["scispacy_both"], 1),
            },
        },
    )


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Speed, findings and memory of one pipeline."""
    import spacy
    import torch

    torch.set_num_threads(1)
    warnings.filterwarnings("ignore")
    texts = sample_texts(options.corpus, options.documents)
    nlp = spacy.blank("en")
    nlp.max_length = 20_000_000
    PIPELINES[options.only](nlp, options)
    for _ in nlp.pipe(texts, batch_size=32):
        pass
    docs: list[Any] = []
    seconds = cpu_seconds(lambda: docs.extend(nlp.pipe(texts, batch_size=32)))
    words = sum(len(text.split()) for text in texts)
    return {
        "words": words,
        "words_per_cpu_second": round(words / seconds),
        "linked": sum(LINKED[options.only](doc) for doc in docs),
        "peak_megabytes": peak_megabytes(),
    }


def detector(nlp: Any, options: argparse.Namespace) -> None:
    """Add the detector."""
    nlp.add_pipe("acronym_detector")


def both(nlp: Any, options: argparse.Namespace) -> None:
    """Add the detector and the linker."""
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker")


def scispacy_detector(nlp: Any, options: argparse.Namespace) -> None:
    """Add scispacy's detector."""
    import scispacy.abbreviation  # noqa: F401 (registers the component)

    nlp.add_pipe("abbreviation_detector")


def scispacy_both(nlp: Any, options: argparse.Namespace) -> None:
    """Add scispacy's detector and its linker, which reads `doc.ents`."""
    from scispacy import candidate_generation
    from scispacy.linking import EntityLinker
    from scispacy.linking_utils import Entity, KnowledgeBase
    from spacy.language import Language
    from spacy.util import filter_spans

    from spacy_gladis.dictionary import Dictionary

    long_forms = list(Dictionary.open().long_forms)
    chosen = long_forms[:: max(1, len(long_forms) // options.names)][: options.names]
    entities = [Entity(f"C{n}", name, [name], [], name) for n, name in enumerate(chosen)]
    # It refuses to make an index where float16 matrices cannot be saved; this one is not saved.
    candidate_generation.scipy_supports_sparse_float16 = lambda: True
    with contextlib.redirect_stdout(io.StringIO()):
        linker = EntityLinker.from_kb(KnowledgeBase(entities))

    @Language.component("abbreviations_as_entities")
    def as_entities(doc: Any) -> Any:
        spans = [doc[s.start : s.end] for s in doc._.abbreviations]
        for span in spans:
            span.label_ = "ABBREVIATION"
        doc.ents = filter_spans(spans)
        return doc

    Language.component("linker_of_small_knowledge_base", func=linker)
    scispacy_detector(nlp, options)
    nlp.add_pipe("abbreviations_as_entities")
    nlp.add_pipe("linker_of_small_knowledge_base")


PIPELINES = {
    "tokens": lambda nlp, options: None,
    "detector": detector,
    "both": both,
    "scispacy_detector": scispacy_detector,
    "scispacy_both": scispacy_both,
}
LINKED: dict[str, Callable[[Any], int]] = {
    "tokens": lambda doc: 0,
    "detector": lambda doc: sum(bool(s._.long_form) for s in doc.spans["acronyms"]),
    "both": lambda doc: sum(bool(s.kb_id) for s in doc.spans["acronyms"]),
    "scispacy_detector": lambda doc: len(doc._.abbreviations),
    "scispacy_both": lambda doc: sum(bool(s._.kb_ents) for s in doc.ents),
}

if __name__ == "__main__":
    main()
