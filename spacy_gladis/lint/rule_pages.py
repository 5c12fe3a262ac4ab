"""The rules as pages, in Markdown: for `lint --rules` and for the documentation."""

from collections.abc import Iterator

from .registry import load_rules
from .rule import Example, Rule

LEVEL = 2
"""The level of a rule's heading."""


def rules_page() -> str:
    """Return a table of all rules, and a section for each of them."""
    rules = load_rules().values()
    rows = list(map(_row, rules))
    table = "\n".join(["| code | name | reports | checked |", "|---|---|---|---|", *rows])
    return "\n\n".join([table, *map(rule_section, rules)]) + "\n"


def rule_section(rule: Rule) -> str:
    """Return the section of one rule."""
    return "\n\n".join(_parts(rule))


def _row(rule: Rule) -> str:
    link = f"[{rule.code}](#{rule.code.lower()}-{rule.name})"
    return f"| {link} | `{rule.name}` | {rule.summary} | {_checked(rule)} |"


def _checked(rule: Rule) -> str:
    return "by default" if rule.is_default else "if selected"


def _parts(rule: Rule) -> Iterator[str]:
    heading = "#" * (LEVEL + 1)
    yield f"{'#' * LEVEL} {rule.code} {rule.name}"
    fix = "A fix is available." if rule.fix_safety else "There is no fix."
    yield f"{rule.summary}. Checked {_checked(rule)}. {fix}"
    yield f"{heading} Why is this bad?\n\n{rule.why}"
    if rule.known_problems:
        yield f"{heading} Known problems\n\n{rule.known_problems}"
    if rule.fix_safety:
        yield f"{heading} Fix safety\n\n{rule.fix_safety}"
    yield f"{heading} Examples\n\nReported:\n\n{_examples(rule.bad)}"
    yield f"Not reported:\n\n{_examples(rule.good)}"


def _examples(examples: tuple[Example, ...]) -> str:
    return "\n\n".join(f"```markdown\n{_shown(example)}\n```" for example in examples)


def _shown(example: Example) -> str:
    """An example's text; those of several documents below their names."""
    if isinstance(example, str):
        return example
    return "\n\n".join(
        f"<!-- document {number} -->\n{text}" for number, text in enumerate(example, 1)
    )
