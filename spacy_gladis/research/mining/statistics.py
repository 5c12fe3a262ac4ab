"""What a mined corpus and a dictionary hold: sources, ambiguity, noise, and the tables of it."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

from rich.console import Console

from ...errors import InputError
from ..report.tables import Table
from .engine import Workspace
from .stages import Count, read_counts

# "in vitro fertilization" is a long form and "to be announced" too: the share of noise is an
# estimate from above for these words and from below for all else.
_FUNCTION_WORDS = """
a an the and or but nor if of to in on at by for from with as than that this these those it its is
are was were be been has have had which who whose where when while we our they their he she his her
you your i my not no also such into
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
_MARKUP = re.compile(r"[<>{}\\|=^~*@#_\[\]]|https?:|www\.")
_SENTENCE_END = re.compile(r"[.!?;:]\s+\S")
MIN_LETTERS = 0.6  # share of all characters, blanks included


def noise(long_form: str) -> str | None:
    """Why a long form is likely none, or None where nothing speaks against it.

    The reasons: "function word" at its beginning or end, "markup" or formula, "bracket" without its
    other half, "sentence end" inside, "few letters" (under 60 % of the characters).
    """
    words = long_form.lower().split()
    if not words or words[0] in FUNCTION_WORDS or words[-1] in FUNCTION_WORDS:
        return "function word"
    if _MARKUP.search(long_form):
        return "markup"
    if long_form.count("(") != long_form.count(")") or long_form.count('"') % 2:
        return "bracket"
    if _SENTENCE_END.search(long_form):
        return "sentence end"
    letters = sum(map(str.isalpha, long_form)) + len(words) - 1
    if letters < MIN_LETTERS * len(long_form):
        return "few letters"
    return None


MOST_AMBIGUOUS = 25
SUMMED = ("million_characters", "documents", "definitions", "samples")


class Tally:
    """Counts a dictionary's acronyms and long forms: the paper's Table 4, and their noise."""

    def __init__(self) -> None:
        self.acronyms = self.ambiguous = self.long_forms = self.occurrences = 0
        self.sizes: Counter[int] = Counter()  # long forms of an acronym -> acronyms
        self.noisy: Counter[str] = Counter()  # reason -> long forms
        self.noisy_occurrences: Counter[str] = Counter()
        self._most: list[tuple[int, str, list[str]]] = []  # a heap, the least ambiguous first

    def add(self, acronym: str, long_forms: list[tuple[str, int]]) -> None:
        """Count an acronym's long forms, each with its frequency, the most frequent first."""
        size = len(long_forms)
        self.acronyms += 1
        self.ambiguous += size > 1
        self.long_forms += size
        self.sizes[size] += 1
        for long_form, frequency in long_forms:
            self.occurrences += frequency
            if reason := noise(long_form):
                self.noisy[reason] += 1
                self.noisy_occurrences[reason] += frequency
        heappush(self._most, (size, acronym, [one for one, _ in long_forms[:3]]))
        if len(self._most) > MOST_AMBIGUOUS:
            heappop(self._most)

    def to_json(self) -> dict[str, Any]:
        """The figures; shares are of all long forms, or of all their occurrences."""
        return {
            "acronyms": self.acronyms,
            "long_forms": self.long_forms,
            "long_forms_per_acronym": self.long_forms / max(1, self.acronyms),
            "ambiguous_acronyms": self.ambiguous,
            "occurrences": self.occurrences,
            "noise": {
                "share": self.noisy.total() / max(1, self.long_forms),
                "share_by_frequency": self.noisy_occurrences.total() / max(1, self.occurrences),
                "long_forms": dict(self.noisy.most_common()),
                "occurrences": dict(self.noisy_occurrences.most_common()),
            },
            "acronyms_by_long_forms": {str(size): self.sizes[size] for size in sorted(self.sizes)},
            "most_ambiguous": [
                {"acronym": acronym, "long_forms": size, "most_frequent": most}
                for size, acronym, most in sorted(self._most, key=lambda one: (-one[0], one[1]))
            ],
        }


def corpus_statistics(workspace: Workspace) -> dict[str, Any]:
    """A mined corpus by source (the paper's Table 2), as a dictionary (Table 4), and its problems.

    Pairs are of acronym and merge key. Raises InputError
    where the folder is not a workspace or its mining is not finished.
    """
    pairs: Counter[str] = Counter()
    tally = Tally()
    for acronym, rows in groupby(read_workspace_counts(workspace), key=attrgetter("acronym")):
        counts = list(rows)
        pairs.update(domain for domain, _ in {(one.domain, one.merge_key) for one in counts})
        tally.add(acronym, merge_spellings(counts))
    report = json.loads((workspace.root / "report.json").read_text(encoding="utf-8"))
    sources = [
        {
            "domain": domain,
            "million_characters": counted["characters"] / 1e6,
            "documents": counted["documents"],
            "definitions": counted["definitions"],
            "samples": counted["samples"],
            "pairs": pairs[domain],
        }
        for domain, counted in report["domains"].items()
    ]
    total = {name: sum(one[name] for one in sources) for name in SUMMED}
    return {
        "sources": sorted(sources, key=lambda one: -one["million_characters"]),
        "total": {**total, "pairs": tally.long_forms},
        "dictionary": tally.to_json(),
        "problems": report["problems"],
    }


def merge_spellings(counts: list[Count]) -> list[tuple[str, int]]:
    """An acronym's long forms, most frequent first: spellings with one merge key are one.

    The most frequent spelling stands for all; of equally frequent ones the shortest, then the
    first in code point order (GLADIS, section 3).
    """
    merged: dict[str, Counter[str]] = {}
    for count in counts:
        merged.setdefault(count.merge_key, Counter())[count.long_form] += count.frequency
    long_forms = [
        (min(spellings, key=lambda one: (-spellings[one], len(one), one)), spellings.total())
        for spellings in merged.values()
    ]
    return sorted(long_forms, key=lambda one: (-one[1], one[0]))


def read_workspace_counts(workspace: Workspace) -> Iterator[Count]:
    """Yield all counts of a workspace, bucket by bucket, an acronym's together.

    Raises InputError where the mining is not finished or counts were lost.
    """
    buckets = workspace.manifest()["settings"]["buckets"]
    paths = [workspace.root / f"counts/{bucket:03}.parquet" for bucket in range(buckets)]
    missing = [path for path in paths if not path.is_file()]
    if missing:
        raise InputError(
            f"The counts of {workspace.root} are not finished or were lost: {missing[0].name} is "
            "missing. Give the 'spacy-gladis corpus extract' command again: it goes on from there."
        )
    yield from chain.from_iterable(map(read_counts, paths))


SHOWN = 10  # most ambiguous acronyms; all are in the JSON
COUNTS = ("documents", "definitions", "samples", "pairs")


def show_statistics(statistics: dict[str, Any], console: Console | None = None) -> None:
    """Print what `corpus_statistics` counted, as tables."""
    console = console or Console()
    table = Table("Sources", ("source", "M characters", *COUNTS))
    for source in [*statistics["sources"], {"domain": "total", **statistics["total"]}]:
        characters = f"{source['million_characters']:,.1f}"
        table.add(source["domain"], characters, *(source[name] for name in COUNTS))
    console.print(table.rich())
    show_dictionary(statistics["dictionary"], console)
    problems = statistics["problems"]
    for kind, number in problems["counts"].items():
        console.print(f"{number:,} times: {kind}")
    for example in problems["examples"]:
        console.print(f"  {example}", markup=False, soft_wrap=True)


def show_dictionary(
    figures: dict[str, Any], console: Console, judged: dict[str, Any] | None = None
) -> None:
    """Print the figures of a dictionary, see `statistics.Tally`.

    `judged` are verdicts by hand, name of a sample -> {"judged", "right"}, where it has any: those
    of an earlier build, as a build is drawn from when its metadata are written.
    """
    table = Table("Acronyms and long forms", ("dictionary", ""))
    table.add("acronyms", figures["acronyms"])
    table.add("long forms", figures["long_forms"])
    table.add("long forms per acronym", f"{figures['long_forms_per_acronym']:.2f}")
    table.add("ambiguous acronyms", figures["ambiguous_acronyms"])
    noise = figures["noise"]
    for sample, counts in (judged or {}).items():
        share = counts["right"] / counts["judged"]
        table.add(f"right of {counts['judged']:,} {sample}, an earlier build", f"{share:.1%}")
    table.add("suspect by their form alone", f"{noise['share']:.1%}")
    table.add("suspect, by frequency", f"{noise['share_by_frequency']:.1%}")
    for reason, number in noise["long_forms"].items():
        table.add(f"  {reason}", number)
    console.print(table.rich())
    table = Table("Most ambiguous", ("acronym", "long forms", "most frequent"))
    for entry in figures["most_ambiguous"][:SHOWN]:
        table.add(entry["acronym"], entry["long_forms"], "; ".join(entry["most_frequent"]))
    shown = table.rich()
    shown.columns[-1].justify = "left"  # words, not numbers
    console.print(shown)
