"""Descriptive figures of data sets for acronyms, such as numbers of samples and of long forms.

They are the figures in Tables 1, 5 and 7 to 9 and in Figures 1 to 3 of the paper that introduced
SciAI and SciAD.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from ...output.figures import Table
from ..datasets.construction import WORD
from ..datasets.disambiguation import read_disambiguation
from ..datasets.sample import Sample
from ..datasets.sciai import find_sets
from ..extraction.docbin import AnnotatedText, read_marked
from ..leakage import formats, readers

SMALL = 17
"""Maximum number of training samples of each long form in UAD_small (section 5.2)."""
FEW = 10
"""Number of samples at which Figure 3 divides long forms into frequent and rare ones."""

Figures = dict[str, Any]


def describe(path: Path) -> Figures:
    """Compute figures that describe a data set, such as its numbers of samples and of acronyms.

    Args:
        path: Path of a file, or of a folder whose files are the parts of the data set. A file can
            contain texts with marked acronyms (SciAI, SDU-22) or samples in the formats of GLADIS,
            SDU-21 or SDU-22. A file with "dict" in its name is read as a dictionary, as SciAD and
            GLADIS publish it.

    Returns:
        A mapping from names, such as ``"samples_per_long_form"``, to numbers, or to mappings of
        numbers for a figure with several values. All values are JSON types.
    """
    marked: dict[str, list[AnnotatedText]] = {}
    samples: dict[str, list[Sample]] = {}
    figures: Figures = {}
    for name, file in find_sets(path).items():
        if "dict" in file.stem:
            figures |= describe_meanings(json.loads(file.read_text("utf8")))
        elif formats.reader_of(file) in (
            readers.read_sciai_items,
            readers.read_sdu22_extraction_items,
        ):
            marked[name] = list(read_marked(file, Counter()))
        else:
            samples[name] = list(read_disambiguation(file))
    figures |= describe_marked(marked) if marked else {}
    return {**describe_samples(samples), **figures} if samples else figures


def describe_meanings(meanings: Mapping[str, Collection[str]]) -> Figures:
    """Compute how many acronyms a dictionary has, and how many long forms they have.

    These are the first rows of Table 1 of the SciAD paper, and Figure 2.

    Args:
        meanings: A mapping from each acronym to its long forms.

    Returns:
        A mapping with the number of `acronyms`, the average number of `long_forms_per_acronym`, and
        `acronyms_by_long_forms`, which maps each number of long forms (as a string) to the number
        of acronyms that have so many.
    """
    sizes = Counter(map(len, meanings.values()))
    return {
        "acronyms": len(meanings),
        "long_forms_per_acronym": _mean(map(len, meanings.values())),
        "acronyms_by_long_forms": {str(size): sizes[size] for size in sorted(sizes)},
    }


def describe_samples(parts: Mapping[str, Sequence[Sample]]) -> Figures:
    """Compute figures that describe the samples of a disambiguation data set.

    These are the figures in Tables 1, 5, 7 and 9 and in Figures 1 to 3 of the SciAD paper. Some are
    computed differently:

    - `overlap_percent` is the percentage of samples whose text shares a word with a long form of
      the sample's acronym. Only long forms that occur in the samples count. The paper uses the long
      forms of all acronyms in the sentence (Table 1).
    - `samples_per_long_form` is the average over all samples. The paper's 22 (Table 9) fits only
      the training part of SciAD, because its 62,441 samples have 27 for each of 2,308 long forms.
    - `small_training_part` is the size of the small training set (Table 5). It is computed from all
      samples if no part is named ``"train"``.

    Args:
        parts: A mapping from the name of each part, such as ``"train"``, to its samples.

    Returns:
        A mapping from names to numbers, or to mappings of numbers for a figure with several values.
    """
    samples = [sample for part in parts.values() for sample in part]
    meanings: dict[str, set[str]] = {}
    for sample in samples:
        meanings.setdefault(sample.acronym, set()).add(sample.long_form)
    counts = Counter((sample.acronym, sample.long_form) for sample in samples)
    training = Counter((sample.acronym, sample.long_form) for sample in parts.get("train", samples))
    words_of = {acronym: _words(" ".join(forms)) for acronym, forms in meanings.items()}
    by_size = Counter(len(meanings[sample.acronym]) for sample in samples)

    def overlaps(sample: Sample) -> bool:
        return bool(words_of[sample.acronym] & (_words(sample.text) - {sample.acronym.lower()}))

    return {
        "parts": {name: len(part) for name, part in parts.items()},
        "samples": len(samples),
        "overlap_percent": 100 * _mean(map(overlaps, samples)),
        "words_per_sentence": _mean(len(sample.text.split()) for sample in samples),
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
    """Compute figures that describe sentences in which acronyms and long forms are marked.

    These are the figures in Tables 7 and 8 and in section 2.1 of the SciAI paper, such as the
    number of unique acronyms and the percentage of sentences without an acronym.

    Args:
        parts: A mapping from the name of each part, such as ``"train"``, to its sentences.

    Returns:
        A mapping from names to numbers. The entry `parts` maps the name of each part to its number
        of sentences. Long forms that differ only in capitalization count once.
    """
    texts = [text for part in parts.values() for text in part]
    acronyms = {text.text[slice(*span)] for text in texts for span in text.short}
    long_forms = {text.text[slice(*span)].lower() for text in texts for span in text.long}
    return {
        "parts": {name: len(part) for name, part in parts.items()},
        "sentences": len(texts),
        "unique_acronyms": len(acronyms),
        "unique_long_forms": len(long_forms),
        "without_acronym_percent": 100 * _mean(not text.short for text in texts),
        "without_long_form_percent": 100 * _mean(not text.long for text in texts),
    }


def _words(text: str) -> set[str]:
    return {word for word in WORD.findall(text.lower()) if word[0].isalnum()}


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return float(fmean(numbers)) if numbers else 0.0


def description_table(sets: Mapping[str, Figures]) -> Table:
    """Create a table that compares the descriptive figures of several data sets.

    Args:
        sets: A mapping from the name of each data set to its figures, as `describe` returns them.

    Returns:
        A table with a column for each data set and a row for each figure. The cell of a figure that
        a data set does not have is empty.
    """
    table = Table("Data sets", ["", *sets])
    flat = {name: _flatten(figures) for name, figures in sets.items()}
    for name in dict.fromkeys(name for column in flat.values() for name in column):
        table.add(name.replace("_", " "), *(column.get(name) for column in flat.values()))
    return table


def _flatten(figures: Figures) -> dict[str, str]:
    parts = {name: part if isinstance(part, dict) else {"": part} for name, part in figures.items()}
    return {
        f"{name}: {key}" if key else name: f"{value:,.{int(isinstance(value, float))}f}"
        for name, part in parts.items()
        for key, value in part.items()
    }
