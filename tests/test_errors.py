"""The package's own errors and warnings."""

import pytest

from spacy_gladis.errors import warn


def test_a_warning_from_code_without_a_module_is_given():
    with pytest.warns(UserWarning, match="told"):
        exec("warn('told')", {"warn": warn})
