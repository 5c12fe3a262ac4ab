"""`spacy-gladis learn`, and the documents of a folder that explain one another."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path):
    """Documents of which one uses what the others define."""
    files = {
        "docs/a.txt": "The European Space Agency (ESA). Adequate intake (AI).",
        "docs/b.txt": "The European Space Agency (ESA). Artificial intelligence (AI).",
        "docs/c.md": "It is ESA's WAF.\n",
        "docs/terms.md": "Of a WAF.\n\n*[WAF]: web application firewall\n",
    }
    (tmp_path / "docs").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path / "docs"


TABLE = """\
acronym	long_form	count	note
AI	Adequate intake	1	2 meanings
AI	Artificial intelligence	1	2 meanings
ESA	European Space Agency	2
WAF	web application firewall	1
"""


def test_a_table_to_review(cli, folder):
    assert cli("learn", "docs") == (0, TABLE, "")
    assert cli("learn", "docs", "-o", "house.tsv")[0] == 0
    assert (folder.parent / "house.tsv").read_text() == TABLE
    (folder / "d.txt").write_text("Virtual machines (VMs).")
    code, _, err = cli("learn", "docs", "-o", "house.tsv")
    assert code == 2 and "--overwrite" in err
    assert (folder.parent / "house.tsv").read_text() == TABLE
    assert cli("learn", "docs", "-o", "house.tsv", "--overwrite")[0] == 0
    assert "\nVMs\tVirtual machines\t1\n" in (folder.parent / "house.tsv").read_text()


def test_the_ending_tells_the_form_of_the_table(cli, folder):
    assert cli("learn", "docs", "-o", "house.csv")[0] == 0
    text = (folder.parent / "house.csv").read_text()
    assert text.startswith("acronym,long_form,count,note\nAI,Adequate intake,1,2 meanings\n")
    assert cli("learn", "docs", "-o", "again.tsv", "--overlay", "house.csv")[0] == 0
    for name in ("house.json", "house"):
        code, _, err = cli("learn", "docs", "-o", name)
        assert code == 2 and f"{name} is not the name of a table" in err and ".csv" in err
        assert ".tsv, .tab or .txt" in err and not (folder.parent / name).exists()


def test_a_word_that_is_no_file_is_an_error(cli, tmp_path):
    code, out, err = cli("learn", "missing", "-o", "x.tsv")
    assert (code, out) == (2, "") and "no file or folder missing" in err
    assert not (tmp_path / "x.tsv").exists()


def test_what_is_no_acronym_is_left_out(cli, folder):
    (folder.parent / "no.csv").write_text("AI,\n")
    code, out, _ = cli("learn", "docs/a.txt", "docs/gone.txt", "--overlay", "no.csv")
    assert code == 1 and "AI" not in out and "ESA" in out


def answers(out):
    return {
        mention["acronym"]: (mention["long_form"], mention["source"])
        for record in json.loads(out)
        for mention in record["acronyms"]
        if record["document"].endswith("c.md")
    }


def test_documents_explain_one_another(cli, folder, tiny_weights, tiny_dictionary):
    model = ("--model", tiny_weights, "--dictionary", tiny_dictionary, "--format", "json")
    _, out, _ = cli("annotate", "docs", *model)
    result = {name.removesuffix("'s"): answer for name, answer in answers(out).items()}
    assert result == {
        "ESA": ("European Space Agency", "folder"),
        "WAF": ("web application firewall", "folder"),
    }
    for arguments in (("docs", "--alone"), ("docs/c.md",)):
        _, out, _ = cli("annotate", *arguments, *model)
        assert {source for _, source in answers(out).values()} == {"nil"}
    _, out, _ = cli("annotate", "docs/c.md", "docs/terms.md", *model)
    assert answers(out)["WAF"][1] == "folder"


def test_a_glossary_beside_or_above_a_file_is_used_and_named(
    cli, folder, tiny_weights, tiny_dictionary
):
    model = ("--model", tiny_weights, "--dictionary", tiny_dictionary, "--format", "json")
    glossary = folder.parent / "Glossary.csv"
    glossary.write_text("Short,Long\nWAF,web application firewall\nESA,\n")
    for given in ("docs/c.md", "docs"):
        _, out, err = cli("annotate", given, *model)
        assert answers(out)["WAF"] == ("web application firewall", "folder")
        assert "Using glossary Glossary.csv (1 entry). Pass --alone to ignore it." in err
    _, out, err = cli("annotate", "docs/c.md", "--alone", *model)
    assert answers(out)["WAF"][1] == "nil" and "glossary" not in err
    (folder.parent / "own.csv").write_text("acronym,long_form\nWAF,wide area forum\n")
    _, out, err = cli("annotate", "docs/c.md", "--overlay", "own.csv", *model)
    assert answers(out)["WAF"] == ("wide area forum", "dictionary") and "glossary" not in err
    (folder / ".git").mkdir()  # a repository's own folder: what lies above is another's
    _, out, err = cli("annotate", "docs/c.md", *model)
    assert answers(out)["WAF"][1] == "nil" and "glossary" not in err


def test_an_imported_list_without_counts_answers_as_an_overlay_does(cli, folder, tiny_weights):
    (folder.parent / "house.csv").write_text("acronym,long_form\nWAF,web application firewall\n")
    assert cli("dictionary", "import", "house.csv", "-o", "house.sqlite")[0] == 0
    model = ("--model", tiny_weights, "--dictionary", "house.sqlite", "--format", "json")
    code, out, err = cli("annotate", "docs/c.md", *model)
    assert (code, answers(out)["WAF"][0]) == (0, "web application firewall"), err


def test_lint_and_glossary_use_the_folder_too(cli, folder, tiny_weights, tiny_dictionary):
    model = ("--model", tiny_weights, "--dictionary", tiny_dictionary)
    _, out, _ = cli("lint", "docs", "--select", "AC001", "--propose", *model)
    assert "'WAF' is used but never defined; possibly 'web application firewall' (" in out
    _, out, _ = cli("lint", "docs", "--select", "AC001", *model)
    assert "web application firewall" not in out
    _, out, _ = cli("glossary", "docs", "--format", "json", *model)
    (waf,) = (meaning for meaning in json.loads(out) if meaning["acronym"] == "WAF")
    assert [meaning["long_form"] for meaning in waf["meanings"]] == ["web application firewall"]


def test_proposals_are_for_the_mention_and_excluded_files_teach_none(
    cli, folder, tiny_weights, tiny_dictionary
):
    (folder / "c.md").write_text("A non\u2011WAF page.\n")  # of which spaCy makes one token
    model = ("--model", tiny_weights, "--dictionary", tiny_dictionary)
    given = ("lint", "docs", "--select", "AC001", "--propose", *model)
    message = "docs/c.md:1:7: AC001 'WAF' is used but never defined"
    assert f"{message}; possibly 'web application firewall' (" in cli(*given)[1]
    (folder.parent / ".spacy-gladis.toml").write_text('exclude = ["terms.md"]\n')
    assert f"{message}\n" in cli(*given)[1]


MINUTES = "Minutes of the project team. An action item (AI) is open until its owner closes it."


def answers_in_folder(cli, files, document):
    """Return the long forms that `annotate` gives to the acronyms of one document."""
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    code, out, err = cli("annotate", "notes", "--format", "json")
    assert code == 0, err
    [record] = (record for record in json.loads(out) if record["document"].endswith(document))
    return {mention["acronym"]: mention["long_form"] for mention in record["acronyms"]}


@pytest.mark.parametrize(
    ("acronym", "elsewhere", "other", "note"),
    [
        (
            "AI",
            "action item",
            MINUTES,
            "52-year-old woman with ER-positive breast cancer. Lumpectomy, SLNB negative. "
            "RT, then AI for 5 years. DEXA scan before treatment.",
        ),
        (
            "MS",
            "Microsoft",
            "Microsoft (MS) released an update of its office software. Install it on Monday.",
            "Cardiology clinic. Diastolic murmur at the apex, loud S1 and opening snap. "
            "TTE: moderate MS with a valve area of 1.3 cm2, LA dilated, no AF on ECG.",
        ),
        ("MS", "Microsoft", "Microsoft (MS) released an update.", "Murmur of MS at the apex."),
    ],
)
def test_a_document_of_another_field_does_not_decide(cli, acronym, elsewhere, other, note):
    files = {"notes/minutes.txt": other, "notes/clinic.txt": note}
    assert answers_in_folder(cli, files, "clinic.txt")[acronym] != elsewhere


def test_a_document_of_the_same_project_is_evidence(cli):
    files = {
        "notes/minutes.txt": MINUTES,
        "notes/may.txt": "Minutes of the project team in May. Ann reported on the budget. Each "
        "open AI was reviewed, and one AI was closed. The next AI is due on Friday.",
    }
    assert answers_in_folder(cli, files, "may.txt")["AI"] == "action item"


def test_a_glossary_file_decides(cli):
    files = {
        "glossary.csv": "acronym,long_form\nAI,action item\n",
        "notes/talk.txt": "The AI learned from data. Deep learning is AI, and so is NLP.",
        "notes/other.txt": "Nothing of note.",
    }
    assert answers_in_folder(cli, files, "talk.txt")["AI"] == "action item"
