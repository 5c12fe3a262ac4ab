"""The rules' time grows with a document's length, whatever the number of acronyms in it."""

import re
from itertools import islice, product

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.documents.source import Source
from spacy_gladis.lint.document import LintDocument
from spacy_gladis.lint.facts import Facts
from spacy_gladis.lint.references import names_reference
from spacy_gladis.lint.rules.defined_twice import defined_twice
from spacy_gladis.lint.rules.inconsistent import inconsistent
from spacy_gladis.lint.rules.used_before import used_before
from spacy_gladis.lint.run import check
from spacy_gladis.lint.settings import Settings
from spacy_gladis.lint.switches import Switches
from spacy_gladis.resolution import Resolution
from tests.support.growth import STEP, assert_linear

FRUIT = ["banana", "cherry", "date", "fig", "grape", "kiwi", "lime", "mango"]
SIZE = 150


def document(acronyms: int, between: str) -> str:
    """As many definitions, none of them used, and entries of a glossary."""
    long_forms = [" ".join(words) for words in islice(product(FRUIT, repeat=4), acronyms)]
    spelled = [("".join(word[0].upper() for word in one.split()), one) for one in long_forms]
    prose = between.join(f"We saw the {words} ({acronym}) there." for acronym, words in spelled)
    entries = "\n".join(f"*[{acronym}Q]: {words} quince" for acronym, words in spelled)
    return f"{prose}\n\n{entries}\n"


@pytest.mark.parametrize("between", ["\n\n", " "], ids=["paragraphs", "one_paragraph"])
def test_the_rules_take_linear_time(nlp, between):
    sources = {size: read_text(document(size, between), "markdown") for size in (SIZE, STEP * SIZE)}
    read = {size: (source, nlp(source.text)) for size, source in sources.items()}
    settings = Settings()
    assert_linear(lambda size: check([LintDocument.of(*read[size], settings)], settings), SIZE)


def misspelled(acronyms: int) -> tuple[str, str]:
    """As many definitions, each followed by another spelling, in one paragraph."""
    long_forms = [" ".join(words) for words in islice(product(FRUIT, repeat=6), acronyms)]
    pairs = ((words, "".join(word[0].upper() for word in words.split())) for words in long_forms)
    prose = (f"The {words} ({key[:-1]}{key[-1].lower()}) or {key}." for words, key in pairs)
    return " ".join(prose), "markdown"


def quoted(mentions: int) -> tuple[str, str]:
    """A definition, and as many other spellings of it in quotation marks, in one paragraph."""
    return "The banana fig (BaF). " + "A BaF " * mentions + 'or "a BAF" ' * mentions, "markdown"


def contents(entries: int) -> tuple[str, str]:
    """A page of as many tables of contents."""
    listed = '<div class="toc">The WHO.</div>\n' * entries
    return f"{listed}<p>The World Health Organization (WHO) is here.</p>", "html"


def spelled(acronyms: int) -> list[tuple[str, str]]:
    """As many acronyms with their long forms."""
    long_forms = [" ".join(words) for words in islice(product(FRUIT, repeat=4), acronyms)]
    return [("".join(word[0].upper() for word in words.split()), words) for words in long_forms]


def waiting(acronyms: int) -> tuple[str, str]:
    """As many acronyms in use before all their definitions, often with what they are not."""
    uses = (f"We saw an {key} there, {key}: a tree." for key, _ in spelled(acronyms))
    defined = (f"We saw the {words} ({key}), {key} and {key}." for key, words in spelled(acronyms))
    return "\n\n".join([*uses, *defined]), "markdown"


def looked_up(uses: int) -> tuple[str, str]:
    """A list of answers that begin with a name and an acronym, which is defined last."""
    answers = "Rusty BFG runs on its host and more.\n\n" * uses
    return f"# FAQ\n\n{answers}A banana fig grape (BFG) is there. BFG is. BFG is.\n", "markdown"


def one_line(definitions: int) -> tuple[str, str]:
    """A page in one line, of as many definitions, each there twice."""
    defined = (f"We saw the {words} ({key}) there. " * 2 for key, words in spelled(definitions))
    return f"<div>{''.join(defined)}</div>", "html"


@pytest.mark.parametrize(
    ("write", "rule", "size"),
    [
        (misspelled, inconsistent, 100),
        (quoted, inconsistent, 500),
        (contents, used_before, 200),
        (waiting, used_before, 100),
        (looked_up, used_before, 250),
        (one_line, defined_twice, 200),
    ],
)
def test_a_rule_takes_linear_time(write, rule, size, nlp):
    sources = {one: read_text(*write(one)) for one in (size, STEP * size)}
    read = {one: (source, nlp(source.text)) for one, source in sources.items()}
    assert_linear(lambda one: list(rule(LintDocument.of(*read[one], Settings()))), size)


def test_switches_are_found_in_linear_time():
    comments = "<!-- acronyms: off AC001 -->\n<!-- acronyms: on -->\n"

    def ask(size: int) -> None:
        source = read_text(comments * size, "markdown")
        switches = Switches(source)
        for at in range(0, len(source.source), len(comments) // 2):
            switches.off(at, "AC001")

    assert_linear(ask, 500)


def test_names_are_found_in_linear_time():
    def ask(size: int) -> None:
        pairs = spelled(size)
        names = " ".join(f"`of_{key.lower()}x`" for key, _ in pairs)
        source = read_text(names, "markdown")
        document = LintDocument(source, Facts("en", [], []), Settings())
        for key, _ in pairs:
            assert key.lower() not in document.endings_of_names(len(key))

    assert_linear(ask, 400)


def test_long_forms_in_markup_alone_take_linear_time():
    def read(size: int) -> tuple[Source, Facts]:
        pairs = ((f"<abbr title='{words}'>{key}</abbr>", key) for key, words in spelled(size))
        uses = (f"<p>An {one} or {key}. {'q' * 5000}" for one, key in pairs)  # a long text
        source = read_text("".join(uses), "html")
        found: list[tuple[int, int, Resolution | None]] = [
            (*one.span(), None) for one in re.finditer(r"[A-Z]{4}", source.text)
        ]
        return source, Facts("en", [], found)

    facts = {one: read(one) for one in (SIZE, STEP * SIZE)}
    assert_linear(lambda one: LintDocument(*facts[one], Settings()).explained, SIZE)


@pytest.mark.parametrize("words", ["2001 Bonn ", "Conference here "])
def test_references_are_found_in_linear_time(words):
    assert_linear(lambda size: names_reference(words * size), 300)
