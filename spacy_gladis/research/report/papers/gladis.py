"""GLADIS (Chen, Varoquaux and Suchanek, EACL 2023): the dictionary and disambiguation."""

from typing import Any

from ...disambiguation.gladis.report import by_candidates, by_coverage
from ..published import DICTIONARY, SMALL_SETS
from ..results import Drawing, Result, Results, Section
from ..tables import Table

BOTH = {"accuracy": "accuracy", "macro F1": "gladis_macro_f1"}
GROUPS = ("popular", "overshadowed")


def section(results: Results) -> Section:
    """Tables 2 to 7 and A1, Figures 3 and A1, as far as they were measured."""
    made = Section(
        "GLADIS: acronym disambiguation",
        "Chen, Varoquaux and Suchanek, EACL 2023. Macro F1 is GLADIS's: the mean over gold long "
        "forms. Sets with a dictionary of their own are Table A1's (few candidates); the others "
        "are answered from the dictionary in use.",
    )
    if counted := list(results.of("stats")):
        made.tables.append(_dictionary(counted))
        made.sources |= {result.name: result.command for result in counted}
    for result in results.of("gladis"):
        made.sources[result.name] = result.command
        sets = {name: one for name, one in result.content["sets"].items() if one["systems"]}
        if not sets:
            continue
        made.tables += [_scores(result, sets), _popularity(result, sets)]
        for name, found in sets.items():
            label = f"{result.name}-{name.replace('/', '-')}"
            systems = found["systems"]
            made.drawings += [
                Drawing(
                    f"{label}-candidates",
                    f"{result.name}, {name}: scores by number of candidates (Figures 3 and A1)",
                    by_candidates(name, systems),
                ),
                Drawing(
                    f"{label}-coverage",
                    f"{result.name}, {name}: right answers when the surest are answered",
                    by_coverage(name, systems),
                ),
            ]
    for result in results.of("export", "finish"):
        made.tables.append(_calibration(result))
        made.sources[result.name] = result.command
    return made


def _dictionary(counted: list[Result]) -> Table:
    table = Table("Dictionary", ("dictionary", "acronyms", "long forms", "source"))
    acronyms, long_forms = (round(score or 0) for score in DICTIONARY.scores)
    table.add(f"*{DICTIONARY.system}*", acronyms, long_forms, f"*{DICTIONARY.source}*")
    for result in counted:
        # `corpus stats` tells of more than the dictionary, `dictionary stats` of nothing else.
        found = result.content.get("dictionary", result.content)
        table.add("ours", found["acronyms"], found["long_forms"], result.name)
    return table


def _scores(result: Result, sets: dict[str, Any]) -> Table:
    columns = ("set", "system", *BOTH, "accuracy where covered", "calibration error", "source")
    table = Table(f"{result.name}: scores (Tables 5 and A1)", columns)
    for name, found in sets.items():
        for system, one in found["systems"].items():
            covered = one["covered"]
            table.add(
                f"{name} ({found['set']['rows']:,})",
                system,
                *(one["scores"][key] for key in BOTH.values()),
                covered["accuracy"] if covered else None,
                one["confidence"]["expected_calibration_error"],
                f"{result.name}, counts: {found['counts']}",
            )
        if published := SMALL_SETS.get(name):
            scores = (*published.scores, None, None)
            table.add(name, f"*{published.system}*", *scores, f"*{published.source}*")
    return table


def _popularity(result: Result, sets: dict[str, Any]) -> Table:
    columns = [f"{group}: {score}" for group in GROUPS for score in BOTH]
    title = f"{result.name}: popular and overshadowed long forms (Table 7)"
    table = Table(title, ("set", "system", *columns))
    for name, found in sets.items():
        for system, one in found["systems"].items():
            parts = (one["by_popularity"][group] or {} for group in GROUPS)
            table.add(name, system, *(part.get(key) for part in parts for key in BOTH.values()))
    return table


def _calibration(result: Result) -> Table:
    found = result.content
    columns = ("in the dictionary", "accuracy there", "calibration error")
    precisions = found["precision_at_coverage"]
    shares = (f"right of the surest {100 * float(share):.0f} %" for share in precisions)
    table = Table(f"{result.name}: acronyms that were held out", ("questions", *columns, *shares))
    table.add(
        f"{found['measured_on']:,}",
        found["in_dictionary"],
        found["accuracy_in_dictionary"],
        found["expected_calibration_error"],
        *precisions.values(),
    )
    return table
