"""Documents that pass through Debian's Pandoc and the filter."""

import json
import os
import shutil
import subprocess
import sys
from configparser import ConfigParser
from functools import cache
from io import StringIO
from pathlib import Path

import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.pipeline.load import load_pipeline
from tests.support.paths import ROOT

if shutil.which("pandoc") is None:
    pytest.skip("The program pandoc is not installed: apt install pandoc", allow_module_level=True)
pf = pytest.importorskip(
    "panflute", reason="panflute is not installed: pip install 'spacy-gladis[pandoc]'"
)

HOUSE = "acronym,long_form\nQBR,quarterly board review\nR & D,research and development\n"
ZZQ = "The zen zoning quest (ZZQ) began. The ZZQ ended.\n"


@cache
def pipeline(**settings):
    return load_pipeline(**settings)


@pytest.fixture
def convert(tmp_path, monkeypatch):
    """Convert a text by Pandoc, with the filter between reader and writer."""
    from spacy_gladis.integrations import pandoc

    (tmp_path / "house.csv").write_text(HOUSE, "utf8")
    monkeypatch.chdir(tmp_path)

    def load(*, overlay, **settings):
        return pipeline(overlay=overlay and tuple(overlay), **settings)

    monkeypatch.setattr(pandoc, "load_pipeline", load)

    def run(text: str, to: str = "html", read: str = "markdown", settings: str = "{}", *options):
        (tmp_path / "settings.yaml").write_text(f"spacy-gladis: {settings}\n", "utf8")
        given = ["--metadata-file", "settings.yaml"] if settings != "{}" else []
        document = pf.load(StringIO(call("--from", read, "--to", "json", *given, text=text)))
        pandoc.apply_filter(document, to)
        written = StringIO()
        pf.dump(document, written)
        return call("--from", "json", "--to", to, "--wrap=none", *options, text=written.getvalue())

    return run


def call(*options: str, text: str = "") -> str:
    done = subprocess.run(["pandoc", *options], input=text.encode(), capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_the_first_use_is_expanded_and_the_rest_of_the_document_stays(convert):
    text = (
        "# MRI\n\nAn MRI/CT showed `MRI`, $MRI$, [@MRI], <https://MRI.org>, "
        '[MRI](http://x.org/CT "CT") and "MRI".\n\n    CT\n\n![A CT](ct.png)\n'
    )
    first = "<p>A magnetic resonance imaging (MRI)/computed tomography (CT) showed <code>MRI</code>"
    after = convert(text)
    before = call("--to", "html", "--wrap=none", text=text)
    assert first in after
    assert after.replace(first, "<p>An MRI/CT showed <code>MRI</code>") == before


def test_emphasis_quotes_and_lines_are_read_and_kept(convert):
    text = "It's \u201can\n*MRI* scan\u201d of\nthe **Q**BR and a ***QBR***; R\n& D pays the QBR\n"
    html = convert(text, settings="{user-list: house.csv}")
    assert "\u201ca <em>magnetic resonance imaging (MRI)</em> scan\u201d of" in html
    long = "<strong><em>quarterly board review (QBR)</em></strong>"
    assert f"the <strong>Q</strong>BR and a {long}; research" in html
    assert "research and development (R &amp; D) pays" in html


@pytest.mark.parametrize(
    "definition",
    [
        "The quarterly board review (QBR) is soon.",
        "A QBR^[QBR: quarterly board review.] is soon.",
        'A <abbr title="quarterly board review">QBR</abbr> is soon.',
        "| Short | Long |\n|---|---|\n| QBR | quarterly board review |",
        "QBR\n: quarterly board review",
        "::: {#acronyms}\nQBR\n: quarterly board review\n:::",
    ],
)
def test_what_the_document_defines_is_not_defined_again(convert, definition):
    text = f"The QBR is here.\n\n{definition}\n\nThe QBR is gone.\n"
    html = convert(text, "markdown", settings="{user-list: house.csv}")
    assert html == call("--to", "markdown", "--wrap=none", text=text)
    assert "quarterly board review (QBR) is here" in convert(
        "The QBR is here.\n", settings="{user-list: house.csv}"
    )


def test_abbr_marks_every_use(convert):
    html = convert(f"An MRI. The MRI of C&A.\n\n{ZZQ}", settings="{markup: abbr}")
    mri = '<abbr title="magnetic resonance imaging">MRI</abbr>'
    assert f"A magnetic resonance imaging ({mri}). The {mri} of" in html
    assert '(ZZQ) began. The <abbr title="zen zoning quest">ZZQ</abbr> ended.' in html
    html = convert("An MRI. The MRI.", settings="{markup: abbr, expand: none}")
    assert html == f"<p>An {mri}. The {mri}.</p>\n"


def test_latex_gets_entries_of_the_package_glossaries(convert):
    text = f"# MRI\n\nAn MRI. The MRI, MRIs and [MRI](http://x.org).\n\n{ZZQ}"
    settings = "{markup: gls, list: true}"
    header = "---\nheader-includes: \\newcommand{\\mine}{1}\n---\n\n"
    latex = convert(header + text, "latex", "markdown", settings, "--standalone")
    preamble, _, body = latex.partition("\\begin{document}")
    assert "\\newcommand{\\mine}{1}" in preamble and "\\makenoidxglossaries" in preamble
    assert "\\newacronym{mri}{MRI}{magnetic resonance imaging}" in preamble
    assert "A \\gls{mri}. The \\acrshort{mri}, MRIs and \\href{http://x.org}{MRI}." in body
    assert "zen zoning quest (ZZQ) began. The \\acrshort{zzq} ended." in body
    assert "\\glsadd{mri}\\glsadd{zzq}\\printnoidxglossary[type=\\acronymtype]" in body
    plain = convert(text, "html", settings=settings)
    assert "A magnetic resonance imaging (MRI). The MRI, MRIs" in plain and "gls" not in plain


@pytest.mark.parametrize("to", ["plain", "rst", "latex", "docbook"])
def test_formats_without_support_get_the_plain_text(convert, to):
    markup = "abbr" if to != "rst" else "gls"
    marked = convert("An MRI and the MRI.\n", to, settings=f"{{markup: {markup}}}")
    assert marked == convert("An MRI and the MRI.\n", to)
    assert "A magnetic resonance imaging (MRI) and the MRI." in marked


def test_the_list_goes_to_its_div_or_to_the_end(convert):
    text = f"::: {{#acronyms}}\nAll of them:\n:::\n\nAn MRI scan.\n\n{ZZQ}"
    html = convert(text)
    assert html.index("All of them") < html.index("<dl>") < html.index("A magnetic")
    assert html.count("<dt>") == 2 and "<dt>ZZQ</dt>" in html
    end = convert(f"An MRI scan.\n\n{ZZQ}", settings="{list: true}")
    assert end.index("A magnetic") < end.index(">Acronyms</h1>") < end.index("<dt>MRI</dt>")
    assert "<dl>" not in convert(text, settings="{list: false}")
    assert "Acronyms" not in convert("Nothing here.", settings="{list: true}")


@pytest.mark.parametrize("to", ["markdown", "html", "docx"])
def test_a_second_run_changes_nothing(convert, tmp_path, to):
    # Pandoc's readers of HTML and DOCX drop <abbr>.
    settings = "{markup: abbr, list: true}" if to == "markdown" else "{list: true}"
    text = f"An MRI/CT and the MRI.\n\n{ZZQ}"
    if to == "docx":
        first = convert(text, "markdown", settings=settings)
        call("--output", str(tmp_path / "a.docx"), text=first)
        text = call(str(tmp_path / "a.docx"), "--to", "markdown")
        assert convert(text, "plain") == call("--to", "plain", "--wrap=none", text=text)
        return
    once = convert(text, to, settings=settings)
    assert once.count("resonance imaging (") == 1
    assert convert(once, to, to, settings) == once


def test_word_gets_the_text_in_its_styles(convert, tmp_path):
    docx = pytest.importorskip(
        "docx", reason="python-docx is not installed: pip install 'spacy-gladis[documents]'"
    )
    text = f"An *MRI* and the MRI.\n\n{ZZQ}"
    json_text = convert(text, "json", settings="{list: true}")
    call("--from", "json", "--output", str(tmp_path / "a.docx"), text=json_text)
    paragraphs = docx.Document(str(tmp_path / "a.docx")).paragraphs
    assert paragraphs[0].text == "A magnetic resonance imaging (MRI) and the MRI."
    italic = "".join(run.text for run in paragraphs[0].runs if run.italic)
    assert italic == "magnetic resonance imaging (MRI)"
    back = call(str(tmp_path / "a.docx"), "--to", "plain", "--wrap=none")
    assert "Acronyms" in back and back.count("magnetic resonance imaging") == 2


def test_quarto_and_r_markdown_sources_keep_their_chunks(convert):
    text = (
        "---\ntitle: The MRI\noutput: html_document\nformat: {html: {toc: true}}\n"
        "spacy-gladis: {list: true, min-probability: 0.8, field: clinical}\n---\n\n"
        "```{r scan, echo=FALSE, fig.cap='An MRI'}\nMRI <- read.csv('CT.csv')\n```\n\n"
        "```{python}\n#| label: fig-MRI\nMRI = 1\n```\n\n"
        "An MRI (see @fig-MRI) and `r MRI` were done. {{< include MRI.qmd >}}\n"
    )
    written = convert(text, "markdown", "markdown", "{}", "--standalone")
    assert "MRI <- read.csv('CT.csv')" in written and "#| label: fig-MRI\nMRI = 1" in written
    assert "A magnetic resonance imaging (MRI) (see @fig-MRI) and `r MRI` were" in written
    assert "title: The MRI\n" in written and "MRI\n:   magnetic resonance imaging" in written


def test_restructured_text(convert):
    text = "MRI\n===\n\nAn *MRI* and ``MRI``, :math:`CT`.\n\n.. code::\n\n   CT\n"
    html = convert(text, "html", "rst")
    assert "A <em>magnetic resonance imaging (MRI)</em> and <code>MRI</code>" in html
    assert html.count("resonance") == 1 and "tomography" not in html


def test_an_address_that_a_link_shows_stays(convert):
    text = '<p>See <a href="https://x.org/MRI?CT">https://x.org/MRI?CT</a> on the MRI scan.</p>\n'
    html = convert(text, "html", "html")
    assert html == text.replace("the MRI", "the magnetic resonance imaging (MRI)")


def test_only_english_gets_articles_of_english(convert):
    german = "---\nlang: de\n---\n\nEin Treffen an QBR und an QBR.\n"
    assert "an quarterly board review (QBR) und an QBR" in convert(
        german, settings="{user-list: house.csv}"
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("{expnd: first}", "Unknown setting of spacy-gladis 'expnd'. Did you mean 'expand'?"),
        ("{expand: frist}", "spacy-gladis: expand 'frist'. Did you mean 'first'?"),
        ("{markup: abr}", "spacy-gladis: markup 'abr'. Did you mean 'abbr'?"),
        ("{list: maybe}", "spacy-gladis: list 'maybe'. Choose from: true, false."),
        ("{min-probability: 2}", "min-probability must be from 0 to 1, got '2'"),
        ("{min-probability: high}", "min-probability must be from 0 to 1, got 'high'"),
        ("true", "spacy-gladis must have settings, such as 'expand: first', got True"),
        ("{}\nspacy_gladis: {}", "Unknown metadata key 'spacy_gladis'. Did you mean"),
    ],
)
def test_a_wrong_setting_is_an_error_with_the_nearest_name(convert, settings, message):
    with pytest.raises(InputError) as error:
        convert("An MRI.", settings=settings)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"field": "clinicl"}, "Unknown field 'clinicl'. Did you mean 'clinical'?"),
        ({"user-list": "none.csv"}, "There is no file none.csv."),
    ],
)
def test_a_field_and_a_list_are_checked_by_the_pipeline(settings, message):
    from spacy_gladis.integrations.pandoc import apply_filter

    document = pf.Doc(metadata={"spacy-gladis": settings})
    with pytest.raises(InputError) as error:
        apply_filter(document, "html")
    assert message in str(error.value)


@pytest.mark.parametrize(
    "broken", ["", "An MRI.", "[]", '{"a": 1}', '{"pandoc-api-version":[1],"meta":{},"blocks":[3']
)
def test_other_input_than_pandoc_s_json_is_refused(broken):
    done = run_command(["-m", "spacy_gladis", "pandoc", "html"], broken)
    assert done.returncode == 2 and done.stdout == b""
    assert done.stderr.startswith(b"Error: Standard input is not a document in Pandoc's JSON: ")


def test_without_the_extra_the_message_names_it():
    code = (
        "import sys; sys.modules['panflute'] = None\n"
        "from spacy_gladis.cli.pandoc import main; sys.argv[1:] = ['html']; main()"
    )
    done = run_command(["-c", code], "{}")
    assert done.returncode == 2 and b"pip install 'spacy-gladis[pandoc]'" in done.stderr


@pytest.mark.slow
def test_pandoc_runs_the_program_and_not_a_command_with_arguments(tmp_path):
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf8")
    scripts = setup["options.entry_points"]["console_scripts"]
    assert "spacy-gladis-pandoc = spacy_gladis.cli.pandoc:main" in scripts
    program = tmp_path / "spacy-gladis-pandoc"
    lines = f"#!{sys.executable}\nfrom spacy_gladis.cli.pandoc import main\nmain()\n"
    program.write_text(lines, "utf8")
    program.chmod(0o755)
    path = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    for name, status in (("spacy-gladis-pandoc", 0), ("spacy-gladis pandoc", 83)):
        done = subprocess.run(
            ["pandoc", "--filter", name], input=b"An MRI scan.", capture_output=True, env=path
        )
        assert done.returncode == status, done.stderr
        assert (b"<p>A magnetic resonance imaging (MRI) scan.</p>" in done.stdout) == (status == 0)
    piped = run_command(["-m", "spacy_gladis", "pandoc"], call("--to", "json", text="An MRI scan."))
    assert json.loads(piped.stdout)["blocks"][0]["c"][2]["c"] == "magnetic"


def run_command(arguments: list[str], text: str) -> "subprocess.CompletedProcess[bytes]":
    path = {**os.environ, "PYTHONPATH": str(Path(ROOT))}
    return subprocess.run(
        [sys.executable, *arguments], input=text.encode(), capture_output=True, env=path
    )
