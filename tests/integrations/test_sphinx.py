"""A project of some pages, built by Sphinx itself."""

import re
from html import unescape

import pytest

main = pytest.importorskip("sphinx.cmd.build").main

PAGES = {
    "index.rst": "The agency\n==========\n\nThe European Space Agency (ESA) sails. ESA rests.\n\n"
    "ESA met the QBR team; ``QBR`` it is.\n\n.. toctree::\n\n   second\n   acronyms\n",
    "second.rst": "Elsewhere with ESA\n==================\n\nAt *ESA* one rests. ESA **rests**, "
    "and the QBR is soon.\n\n:abbr:`LDO (lunar docking office)` is far.\n",
    "acronyms.rst": "Acronyms\n========\n\nAll of them. The LDO, too.\n\n.. acronyms::\n",
}
HOUSE = "acronym,long_form\nQBR,quarterly & yearly business review\n"
ESA = '<abbr title="European Space Agency">ESA</abbr>'
QBR = '<abbr title="quarterly &amp; yearly business review">QBR</abbr>'
LDO = '<abbr title="lunar docking office">LDO</abbr>'


@pytest.fixture
def build(tmp_path, capsys):
    """Build a project with these settings; the pages, or what Sphinx says where it fails."""

    def run(settings: str = "", builder: str = "html", **pages: str) -> dict[str, str] | str:
        for name, text in {**PAGES, **pages}.items():
            (tmp_path / name).write_text(text, "utf8")
        (tmp_path / "house.csv").write_text(HOUSE, "utf8")
        sphinx = 'extensions = ["spacy_gladis.integrations.sphinx"]\nhtml_theme = "basic"\n'
        (tmp_path / "conf.py").write_text(f"{sphinx}html_copy_source = False\n{settings}", "utf8")
        place = [str(tmp_path), str(tmp_path / "out")]
        if main(["-q", "-W", "--keep-going", "-b", builder, *place]):
            return "".join(capsys.readouterr())
        ending = {"html": "html", "latex": "tex"}[builder]
        return {
            page.stem: page.read_text("utf8").partition('role="main"')[2] or page.read_text("utf8")
            for page in (tmp_path / "out").glob(f"*.{ending}")
        }

    return run


def test_the_first_use_on_each_page_has_a_tooltip_and_a_page_lists_them(build):
    pages = build('acronyms_overlay = ["house.csv"]\nacronyms_warn_undefined = True')
    assert not isinstance(pages, str), pages
    first, second = pages["index"], pages["second"]
    assert first.count("<abbr") == 1 and f"ESA met the {QBR} team" in first
    assert f"<p>At <em>{ESA}</em> one rests. ESA <strong>rests</strong>, and the {QBR}" in second
    assert second.count("<abbr") == 3 and LDO in second and "Elsewhere with ESA<a" in second
    assert f"The {LDO}, too" in pages["acronyms"]
    rows = re.findall(r"<tr.*?</tr>", pages["acronyms"], re.DOTALL)
    cells = [re.findall(r"<p>(.*?)</p>", row) for row in rows]
    assert [[unescape(cell) for cell in row[:2]] for row in cells] == [
        ["Acronym", "Long form"],
        ["ESA", "European Space Agency"],
        ["LDO", "lunar docking office"],
        ["QBR", "quarterly & yearly business review"],
    ]
    assert 'href="index.html">The agency</a>' in cells[1][2]


def test_what_one_page_defines_anew_reaches_the_others(build):
    before = build()
    assert not isinstance(before, str) and "<abbr" not in before["index"]
    after = build(**{"second.rst": PAGES["second.rst"] + "\nA quiet business round (QBR).\n"})
    assert not isinstance(after, str), after
    assert '<abbr title="quiet business round">QBR</abbr> team' in after["index"]
    assert "quiet business round" in after["acronyms"]


def test_in_print_the_long_form_stands_behind_the_acronym(build):
    pages = build('acronyms_overlay = ["house.csv"]', "latex")
    assert not isinstance(pages, str), pages
    (text,) = pages.values()
    assert r"\sphinxstyleabbreviation{QBR} (quarterly \& yearly business review) team" in text


def test_an_undefined_acronym_is_a_warning_if_asked(build):
    said = build("acronyms_warn_undefined = True")
    assert isinstance(said, str)
    assert re.search(r"index\.rst:6: WARNING: 'QBR' is used.*\[acronyms\.undefined\]", said), said
    assert "ESA'" not in said and "LDO" not in said and "Traceback" not in said
    silent = 'acronyms_warn_undefined = True\nsuppress_warnings = ["acronyms"]'
    assert not isinstance(build(silent), str)


def test_the_linker_explains_the_others_and_takes_a_threshold(build):
    text = "Notes\n=====\n\nA patient with COPD and severe dyspnea, smoker.\n"
    pages = build(
        "acronyms_definitions_only = False\nacronyms_threshold = 0.3", **{"second.rst": text}
    )
    assert not isinstance(pages, str), pages
    assert 'title="chronic obstructive pulmonary disease">COPD</abbr>' in pages["second"]


def test_wrong_settings_are_told(build):
    said = build("acronyms_threshold = 0.5")
    assert isinstance(said, str) and "Configuration error" in said
    assert "threshold is a setting of the linker" in said
