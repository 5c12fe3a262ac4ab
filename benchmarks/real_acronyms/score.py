"""Score answers to the acronyms of real texts: `python score.py GOLD ANSWERS`.

Both are JSON lines, described in README.md. Needs nothing but Python.
"""

import argparse
import json
import random
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

OUTCOMES = ("right", "wrong", "nil", "not found")
RESAMPLES = 1000
Pairs = frozenset[frozenset[str]]


def key(long_form: str) -> str:
    """What is equal for spellings of one long form: no case, accents, marks, spaces or plural s."""
    text = unicodedata.normalize("NFKD", long_form).casefold().replace("\u2019", "'")
    text = "".join(letter for letter in text if not unicodedata.combining(letter)).replace("'", "")
    return "".join(map(_singular, re.findall(r"[^\W_]+", text))) or text.strip()


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if re.search(r"(?:ss|sh|ch|x|z)es$", word):
        return word[:-2]
    return word[:-1] if len(word) > 3 and re.search(r"[^siu]s$", word) else word


def same(first: str, other: str, pairs: Pairs = frozenset()) -> bool:
    """Whether two long forms are equal, or a pair of other wordings of one sense."""
    keys = frozenset((key(first), key(other)))
    return len(keys) == 1 or keys in pairs


def outcome(mention: dict[str, Any], answers: Iterable[dict[str, Any]], pairs: Pairs) -> str:
    """One of OUTCOMES; of what is no acronym, "false" where it is answered, else "silent"."""
    start, end = mention["start"], mention["end"]
    near = [answer for answer in answers if answer["start"] < end and start < answer["end"]]
    said = min(
        near,
        key=lambda answer: abs(answer["start"] - start) + abs(answer["end"] - end),
        default=None,
    )
    answer = said["long_form"] if said else None
    if not mention["long_forms"]:
        return "false" if answer else "silent"
    if not said:
        return "not found"
    if not answer:
        return "nil"
    return (
        "right"
        if any(same(long_form, answer, pairs) for long_form in mention["long_forms"])
        else "wrong"
    )


def scores(outcomes: Counter[str]) -> dict[str, Any]:
    """Percentages of the mentions; precision is that of the answers, with the false ones."""
    total = sum(outcomes[outcome] for outcome in OUTCOMES)
    answered = outcomes["right"] + outcomes["wrong"] + outcomes["false"]
    return {
        "mentions": total,
        **{outcome: _percent(outcomes[outcome], total) for outcome in OUTCOMES},
        "precision": _percent(outcomes["right"], answered),
        "no acronym": outcomes["false"] + outcomes["silent"],
        "false": outcomes["false"],
    }


def interval(groups: list[Counter[str]]) -> tuple[float, float]:
    """The 95 % interval of the percentage right, the groups drawn anew with one seed."""
    chance = random.Random(0)
    result = []
    for _ in range(RESAMPLES):
        drawn: Counter[str] = Counter()
        for choice in chance.choices(groups, k=len(groups)):
            drawn.update(choice)
        result.append(scores(drawn)["right"] or 0.0)
    result.sort()
    return result[int(0.025 * RESAMPLES)], result[int(0.975 * RESAMPLES)]


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def count(
    gold: Path, answers: Path, by: str, pairs: Pairs = frozenset(), defined: bool = False
) -> dict[str, Counter[str]]:
    """The outcomes by the value of a key of the gold rows.

    defined: only mentions that the text itself defines, else only the others. Exits, naming the
    line, where a row is none.
    """
    given = {row["id"]: row["mentions"] for _, row in _rows(answers)}
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    equal_pairs = set()
    for place, row in _rows(gold):
        equal_pairs.add(row["id"])
        for mention in row["mentions"]:
            if row["text"][mention["start"] : mention["end"]] != mention["acronym"]:
                sys.exit(f"{place}: {mention['acronym']!r} is not at its offsets")
            if mention.get("defined", False) == defined:
                counts[str(row.get(by, ""))][outcome(mention, given.get(row["id"], ()), pairs)] += 1
    if strange := given.keys() - equal_pairs:
        sys.exit(f"{answers}: the gold has no {min(strange)!r}")
    return dict(counts)


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    with path.open(encoding="utf8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                row["id"], row["mentions"]
            except (ValueError, TypeError, KeyError) as error:
                sys.exit(f"{path}:{number}: no row with an id and mentions ({error!r})")
            yield f"{path}:{number}", row


def _pairs(path: Path | None) -> Pairs:
    lines = path.read_text("utf8").splitlines() if path else ()
    wordings = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return frozenset(frozenset(map(key, pair)) for pair in wordings)


def main() -> None:
    """Print the scores, a line a group and one for all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gold", type=Path)
    parser.add_argument("answers", type=Path)
    parser.add_argument("--by", default="repository", help="the key of gold rows that groups them")
    parser.add_argument("--equal", type=Path, help="pairs of wordings that are equal, by tabs")
    parser.add_argument("--defined", action="store_true", help="score what texts define")
    parser.add_argument("--groups", action="store_true", help="show each group")
    parser.add_argument("--json", action="store_true", help="all of it as JSON")
    given = parser.parse_args()
    groups = count(given.gold, given.answers, given.by, _pairs(given.equal), given.defined)
    if not groups:
        sys.exit("there is nothing to score")
    total = sum(groups.values(), Counter[str]())
    result = {"all": scores(total)}
    result["all"]["interval"] = interval(list(groups.values()))
    if given.groups or given.json:
        result = {name: scores(group) for name, group in sorted(groups.items())} | result
    if given.json:
        print(json.dumps(result, indent=1, ensure_ascii=False))
        return
    columns = list(result["all"])
    print("\t".join([given.by, *columns]))
    for name, figures in result.items():
        cells = (figures.get(column) for column in columns)
        print("\t".join([name, *("" if cell is None else _shown(cell) for cell in cells)]))


def _shown(cell: Any) -> str:
    return " to ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)


if __name__ == "__main__":
    main()
