"""The rule reference in Markdown, for ``lint --rules`` and the documentation."""

from collections.abc import Iterator

from .registry import load_rules
from .rule import Example, Rule

LEVEL = 2
"""Level of the Markdown heading above the section of each lint rule."""


def rules_page() -> str:
    """Return the reference page of all lint rules as Markdown.

    Returns:
        A table with one row for each rule, followed by a section for each rule.
    """
    rules = load_rules().values()
    rows = list(map(_table_row, rules))
    table = "\n".join(["| Code | Name | Reports | Checked |", "|---|---|---|---|", *rows])
    return "\n\n".join([table, *map(rule_section, rules)]) + "\n"


def rule_section(rule: Rule) -> str:
    """Return the section of the reference page that explains one lint rule.

    Args:
        rule: Rule to explain.

    Returns:
        Markdown text with the rule's summary, reasons, known problems, fix and examples.
    """
    return "\n\n".join(_section_parts(rule))


def _table_row(rule: Rule) -> str:
    link = f"[{rule.code}](#{rule.code.lower()}-{rule.name})"
    return f"| {link} | `{rule.name}` | {rule.summary} | {_when_checked(rule)} |"


def _when_checked(rule: Rule) -> str:
    return "by default" if rule.is_default else "if selected"


def _section_parts(rule: Rule) -> Iterator[str]:
    heading = "#" * (LEVEL + 1)
    yield f"{'#' * LEVEL} {rule.code} {rule.name}"
    fix = "A fix is available." if rule.fix_safety else "There is no fix."
    yield f"{rule.summary}. Checked {_when_checked(rule)}. {fix}"
    yield f"{heading} Why is this bad?\n\n{rule.why}"
    if rule.known_problems:
        yield f"{heading} Known problems\n\n{rule.known_problems}"
    if rule.fix_safety:
        yield f"{heading} Fix safety\n\n{rule.fix_safety}"
    yield f"{heading} Examples\n\nReported:\n\n{_examples(rule.bad)}"
    yield f"Not reported:\n\n{_examples(rule.good)}"


def _examples(examples: tuple[Example, ...]) -> str:
    return "\n\n".join(f"```markdown\n{_example_text(example)}\n```" for example in examples)


def _example_text(example: Example) -> str:
    """Return an example as Markdown, with a numbered comment above each of several documents."""
    if isinstance(example, str):
        return example
    return "\n\n".join(
        f"<!-- document {number} -->\n{text}" for number, text in enumerate(example, 1)
    )
