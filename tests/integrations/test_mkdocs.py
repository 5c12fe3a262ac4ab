"""A site of two pages, built by MkDocs itself."""

import re
from html import unescape

import click.testing
import pytest

main = pytest.importorskip("mkdocs.__main__").cli

PAGES = {
    "index.md": "# The agency\n\nThe European Space Agency (ESA) sails. ESA sails on `ESA`.\n\n"
    "ESA met the QBR team.\n",
    "second.md": "# Elsewhere\n\nAt *ESA* one rests. ESA <b>rests</b>, and the QBR is soon.\n",
}
HOUSE = "acronym,long_form\nQBR,quarterly & yearly business review\n"
ESA = '<abbr title="European Space Agency">ESA</abbr>'
QBR = '<abbr title="quarterly &amp; yearly business review">QBR</abbr>'


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Build a site with these options; the pages' articles, or what MkDocs says where it fails."""

    def run(options: str, **pages: str) -> dict[str, str] | str:
        (tmp_path / "docs").mkdir(exist_ok=True)
        for name, text in {**PAGES, **pages}.items():
            (tmp_path / "docs" / name).write_text(text, "utf8")
        (tmp_path / "house.csv").write_text(HOUSE, "utf8")
        (tmp_path / "mkdocs.yml").write_text(
            "site_name: Tiny\nuse_directory_urls: false\nplugins:\n"
            f"  - spacy-gladis: {{{options}}}\n",
            "utf8",
        )
        monkeypatch.chdir(tmp_path)
        done = click.testing.CliRunner().invoke(main, ["build", "--strict", "--quiet"])
        if done.exit_code:
            return done.output
        return {
            page.stem: re.split(r'role="main">|<footer', page.read_text("utf8"))[1]
            for page in (tmp_path / "site").glob("*.html")
            if page.stem != "404"
        }

    return run


def test_the_first_use_on_each_page_has_a_tooltip_and_a_page_lists_them(build):
    pages = build("overlay: [house.csv], glossary_page: acronyms.md, fail_undefined: true")
    assert not isinstance(pages, str), pages
    first, second = pages["index"], pages["second"]
    assert first.count("<abbr") == 1 and QBR in first
    assert "Agency (ESA) sails. ESA sails on <code>ESA</code>" in first
    assert f"At <em>{ESA}</em> one rests. ESA <b>rests</b>, and the {QBR}" in second
    rows = re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td></tr>", pages["acronyms"])
    assert [(acronym, unescape(words)) for acronym, words, _ in rows] == [
        ("ESA", "European Space Agency"),
        ("QBR", "quarterly & yearly business review"),
    ]
    assert {link for _, _, link in rows} == {'<a href="index.html">The agency</a>'}


def test_an_undefined_acronym_ends_the_build_if_asked(build):
    said = build("fail_undefined: true")
    assert isinstance(said, str)
    assert re.search(r"index\.md:5:13: AC001 'QBR' is used", said), said
    assert "ESA" not in said and "Traceback" not in said
    pages = build("fail_undefined: false")
    assert not isinstance(pages, str) and ESA in pages["second"]
    assert "abbr" not in pages["index"]


def test_the_linker_explains_the_others_and_takes_a_threshold(build):
    texts = {"second.md": "# Notes\n\nA patient with COPD and severe dyspnea, smoker.\n"}
    pages = build("definitions_only: false, threshold: 0.3", **texts)
    assert not isinstance(pages, str), pages
    tooltip = r'title="chronic obstructive pulmonary disease(: [^"]+)?">COPD</abbr>'
    assert re.search(tooltip, pages["second"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("threshold: 0.5", "threshold is a setting of the linker"),
        ("definitions_only: false, threshold: 7", "threshold"),
    ],
)
def test_wrong_options_are_told(build, options, message):
    said = build(options)
    assert isinstance(said, str) and message in said and "Traceback" not in said
