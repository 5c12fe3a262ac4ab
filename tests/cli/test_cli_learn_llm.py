"""`spacy-gladis learn --llm`: what is sent, what is written, and that nothing is sent twice."""

import pytest

from tests.support.language_model import LanguageModel, always

pytest.importorskip("spacy_llm")

pytestmark = pytest.mark.slow  # the packaged weights are loaded

CONFIG = """\
[acronym_llm]
acronyms_per_prompt = 1

[acronym_llm.model]
@llm_models = "spacy-gladis.OpenAICompatible.v1"
base_url = "{url}"
name = "stub"
interval = 0.01
tries = 1
"""
KNOWN = {"XQBR": "extra quarterly business review", "ZQT": "zonal quench test"}


def say(questions):
    """What a model knows."""
    return {question["line"]: KNOWN.get(question["acronym"], "none") for question in questions}


@pytest.fixture
def learn(cli, tmp_path):
    """Run the command over two documents with a stub's config."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("The XQBR is on Monday.\n\nSee the ZQT. Use QZXW.\n")
    (tmp_path / "docs" / "b.md").write_text(
        "After the XQBR of each customer comes the European Space Agency (ESA).\n"
    )

    def run(model, *options):
        (tmp_path / "llm.cfg").write_text(CONFIG.format(url=model.url))
        return cli("learn", "docs", "--llm", "llm.cfg", "-q", *options)

    return run


def test_each_unsure_acronym_is_asked_once_and_what_is_said_can_be_reviewed(learn, cli, tmp_path):
    with LanguageModel(say) as model:
        code, out, err = learn(model, "--dry-run")
        assert code == 0 and model.prompts == []
        assert out.count("Say what acronyms stand for.") == 3 and "is on Monday" in out
        assert "3 calls, about" in err and "Nothing was sent" in err

        code, _, err = learn(model, "-o", "house.tsv", "--budget", "1 call")
        assert code == 1 and len(model.prompts) == 1 and "not asked" in err

        code, _, err = learn(model, "-o", "house.tsv", "--overwrite")
        assert code == 0 and len(model.prompts) == 3 and "2 calls, about" in err
        assert "The model gave no answer for: QZXW." in err
        request = next(prompt for prompt in model.prompts if '"acronym": "XQBR"' in prompt)
        assert "is on Monday" in request and "each customer" in request

        model.say = lambda questions: 500
        assert learn(model, "-o", "again.tsv")[0] == 0 and len(model.prompts) == 3
    head, *rows = (line.split("\t") for line in (tmp_path / "house.tsv").read_text().splitlines())
    assert head == [
        *("acronym", "long_form", "count", "note", "source", "place", "context"),
        *("ours", "model"),
    ]
    result = {row[0]: dict(zip(head, row, strict=False)) for row in rows}
    assert result["ESA"]["count"] == "1" and "source" not in result["ESA"]
    assert result["XQBR"] | {"ours": ""} == {
        **{"acronym": "XQBR", "long_form": KNOWN["XQBR"], "count": "", "note": "", "source": "llm"},
        **{"place": "docs/a.txt:1", "ours": "", "model": KNOWN["XQBR"]},
        "context": "After the XQBR of each customer comes the European Space Agency (ESA).",
    }
    assert result["ZQT"]["place"] == "docs/a.txt:3"
    assert (tmp_path / "again.tsv").read_text() == (tmp_path / "house.tsv").read_text()

    # Nobody approved of them yet: a review asks, and does so once.
    review = ("annotate", "docs/a.txt", "--review", "--overlay", "house.tsv", "-q")
    code, out, _ = cli(*review, stdin="extra quarterly business review\nq\n")
    assert code == 0 and "XQBR:" in out
    code, out, _ = cli(*review, stdin="q\n")
    assert code == 0 and "XQBR:" not in out and "ZQT:" in out


def test_what_fails_is_named_and_the_rest_is_written(learn, tmp_path):
    with LanguageModel(say) as model:
        model.say = lambda questions: 500 if questions[0]["acronym"] == "XQBR" else say(questions)
        code, _, err = learn(model, "-o", "house.tsv")
    assert code == 1 and "XQBR: language model failed" in err
    assert "zonal quench test" in (tmp_path / "house.tsv").read_text()


def test_what_cannot_be_used_is_said_before_anything_is_read(cli, tmp_path):
    (tmp_path / "a.txt").write_text("The QBR.")
    (tmp_path / "llm.cfg").write_text("[other]\n")
    for options, words in (
        (("--llm", "llm.cfg"), "does not describe a language model"),
        (("--llm", "missing.cfg"), "No such file"),
        (("--llm", "llm.cfg", "--budget", "much"), "is not a budget"),
        (("--budget", "3"), "require --llm"),
        (("--dry-run",), "require --llm"),
    ):
        code, out, err = cli("learn", "a.txt", *options)
        assert (code, out) == (2, "") and words in " ".join(err.replace("│", " ").split()), options


def test_nothing_is_sent_without_it(cli, tmp_path):
    (tmp_path / "a.txt").write_text("The XQBR.")
    with LanguageModel(always("none")) as model:
        assert cli("learn", "a.txt")[0] == 0
    assert model.prompts == []
