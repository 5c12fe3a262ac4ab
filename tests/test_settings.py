import pytest

from spacy_gladis.errors import InputError, check_names, warn
from spacy_gladis.settings import RANKINGS, check_settings


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("threshold", 2, "threshold must be between 0 and 1, got 2"),
        ("precision", float("nan"), "precision must be between 0 and 1, got nan"),
        ("threshold", "0.7", "threshold must be between 0 and 1, got '0.7'"),
        ("top_k", 0, "top_k must be a whole number, at least 1, got 0"),
        ("top_k", 2.5, "top_k must be a whole number, at least 1, got 2.5"),
        ("ranking", "best", f"ranking must be one of {', '.join(RANKINGS)}, got 'best'"),
    ],
)
def test_a_setting_out_of_range_is_told_plainly(name, value, message):
    with pytest.raises(InputError) as failure:
        check_settings({name: value})
    assert str(failure.value) == f"{message}."
    with pytest.raises(InputError) as failure:
        check_settings({name: value}, "my_linker")
    assert str(failure.value) == f"my_linker: {message}."


def test_settings_in_range_and_those_without_one_pass():
    check_settings({"threshold": 0, "precision": 1, "top_k": 1, "cache": None})
    for ranking in RANKINGS:
        check_settings({"ranking": ranking})


def test_a_warning_from_code_without_a_module_is_given():
    with pytest.warns(UserWarning, match="told"):
        exec("warn('told')", {"warn": warn})


def test_an_unknown_name_among_many_is_told_with_the_nearest_ten():
    names = [f"list: {number}" for number in range(2000)] + ["list: cardiology"]
    with pytest.raises(InputError) as failure:
        check_names("source", ["Cardiology"], names, listing="spacy-gladis dictionary stats")
    message = str(failure.value)
    assert "Did you mean 'list: cardiology'? The closest of 2,001 names: list: card" in message
    assert message.count("list: ") == 11 and len(message) < 400
    assert message.endswith("List all of them with: spacy-gladis dictionary stats.")


def test_an_unknown_name_among_few_is_told_with_all():
    with pytest.raises(InputError) as failure:
        check_names("scope", ["page" * 99], ["document", "section"])
    assert len(str(failure.value)) < 160 and str(failure.value).endswith(
        "Choose from: document, section."
    )
