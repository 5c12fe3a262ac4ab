"""What a data set holds: Tables 1, 5, 7, 8 and 9 and Figures 1 to 3 of SciAI and SciAD's paper."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from ...output.figures import Table
from ..extraction.docbin import AnnotatedText, read_marked
from ..leakage import formats
from .construction import WORD
from .disambiguation import read_disambiguation
from .sample import Sample
from .sciai import find_sets

SMALL = 17
"""Training samples of each long form in UAD_small (section 5.2)."""
FEW = 10
"""Samples that a long form of Figure 3 has at most, or more."""

Figures = dict[str, Any]


def describe(path: Path) -> Figures:
    """Describe a data set: a file, or a folder whose files are its parts.

    Args:
        path: SciAI's or SDU-22's marked texts, samples in the forms of GLADIS, SDU-21 or SDU-22, or
            a dictionary as SciAD and GLADIS publish it, `{"acronym": ["long form", ...]}`.

    Raises:
        InputError: If there is no file.
        FormatError: If a file is of another format.
    """
    marked: dict[str, list[AnnotatedText]] = {}
    samples: dict[str, list[Sample]] = {}
    found: Figures = {}
    for name, file in find_sets(path).items():
        if meanings := _dictionary(file):
            found |= describe_meanings(meanings)
        elif formats.reader_of(file) in (formats.sciai, formats.sdu22_extraction):
            marked[name] = list(read_marked(file, Counter()))
        else:
            samples[name] = list(read_disambiguation(file))
    found |= describe_marked(marked) if marked else {}
    return {**describe_samples(samples), **found} if samples else found


def _dictionary(file: Path) -> dict[str, set[str]]:
    """The long forms of each acronym; none where the file is no dictionary."""
    try:
        content = json.loads(file.read_text("utf8"))
    except (OSError, ValueError):  # JSON lines, or what the readers have to name
        return {}
    if not isinstance(content, dict) or "tokens" in content or "sentence" in content:
        return {}
    # GLADIS's have a count behind each long form.
    return {
        acronym: {form if isinstance(form, str) else form[0] for form in forms}
        for acronym, forms in content.items()
    }


def describe_meanings(meanings: Mapping[str, Collection[str]]) -> Figures:
    """Describe a dictionary: Table 1's first two rows, and Figure 2."""
    sizes = Counter(map(len, meanings.values()))
    return {
        "acronyms": len(meanings),
        "long_forms_per_acronym": _mean(map(len, meanings.values())),
        "acronyms_by_long_forms": {str(size): sizes[size] for size in sorted(sizes)},
    }


def describe_samples(parts: Mapping[str, Sequence[Sample]]) -> Figures:
    """Describe samples for disambiguation: Tables 1, 5, 7 and 9, and Figures 1 to 3.

    Args:
        parts: The samples of each part, such as "train"; Table 5's size is of that part, or of all
            samples where no part has its name.
    """
    samples = [sample for part in parts.values() for sample in part]
    meanings: dict[str, set[str]] = {}
    for sample in samples:
        meanings.setdefault(sample.acronym, set()).add(sample.long_form)
    counts = Counter((sample.acronym, sample.long_form) for sample in samples)
    training = Counter((one.acronym, one.long_form) for one in parts.get("train", samples))
    words_of = {acronym: _words(" ".join(forms)) for acronym, forms in meanings.items()}
    by_size = Counter(len(meanings[sample.acronym]) for sample in samples)
    return {
        "parts": {name: len(part) for name, part in parts.items()},
        "samples": len(samples),
        "overlap_percent": 100
        * _mean(
            not words_of[one.acronym].isdisjoint(_words(one.text) - {one.acronym.lower()})
            for one in samples
        ),
        "words_per_sentence": _mean(len(one.text.split()) for one in samples),
        "samples_per_long_form": len(samples) / max(1, len(counts)),
        "small_training_part": sum(min(SMALL, count) for count in training.values()),
        **describe_meanings(meanings),
        "samples_by_long_forms": {str(size): by_size[size] for size in sorted(by_size)},
        "long_forms_by_samples": {
            f"{FEW} or fewer": sum(count <= FEW for count in counts.values()),
            f"more than {FEW}": sum(count > FEW for count in counts.values()),
        },
    }


def describe_marked(parts: Mapping[str, Sequence[AnnotatedText]]) -> Figures:
    """Describe marked sentences: Tables 7 and 8, and section 2.1's shares without a form."""
    texts = [text for part in parts.values() for text in part]
    return {
        "parts": {name: len(part) for name, part in parts.items()},
        "sentences": len(texts),
        "unique_acronyms": len({one.text[slice(*span)] for one in texts for span in one.short}),
        "unique_long_forms": len(
            {one.text[slice(*span)].lower() for one in texts for span in one.long}
        ),
        "without_acronym_percent": 100 * _mean(not one.short for one in texts),
        "without_long_form_percent": 100 * _mean(not one.long for one in texts),
    }


def _words(text: str) -> set[str]:
    return {word for word in WORD.findall(text.lower()) if word[0].isalnum()}


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return float(fmean(numbers)) if numbers else 0.0


def description_tables(sets: Mapping[str, Figures]) -> Iterator[Table]:
    """Show data sets beside each other, a table for figures and one for each distribution."""
    names = list(dict.fromkeys(name for one in sets.values() for name in one))
    nested = [
        name for name in names if any(isinstance(one.get(name), dict) for one in sets.values())
    ]
    plain = Table("Data sets", ["", *sets])
    for name in names:
        if name not in nested:
            values = (one.get(name) for one in sets.values())
            cells = (f"{one:.1f}" if isinstance(one, float) else one for one in values)
            plain.add(name.replace("_", " "), *cells)
    yield plain
    for name in nested:
        table = Table(name.replace("_", " ").capitalize(), ["", *sets])
        for key in dict.fromkeys(key for one in sets.values() for key in one.get(name, {})):
            table.add(key, *(one.get(name, {}).get(key) for one in sets.values()))
        yield table
