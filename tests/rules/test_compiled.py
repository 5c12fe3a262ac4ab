"""The compiled rules, where they are, against the same sources run by Python."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis import rules
from spacy_gladis.errors import InputError
from tests.support.pure_rules import COMPILED, pure_rules

pytestmark = pytest.mark.skipif(
    not COMPILED, reason="the rules are not compiled here: 'make compiled' compiles and tests them"
)
PIECES = (
    "hidden Markov model (HMM)",
    "estrogen (ER) and progesterone receptors (PR)",
    "l'Organisation mondiale de la santé (OMS)",
    "interferon gamma [IFN-γ]",
    "TNF (tumor necrosis factor; TNF-α)",
    "COD: chemical oxygen demand",
    "natural killer, or NK, cells",
    "(FEV(1))",
    "IL-6, CD4+ and k8s",
    "\nABC\talpha beta gamma\n",
    "NO EXCEPTIONS",
    "1,25-(OH)2D3 (see Fig. 2)",
)
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=8).map(" ".join)


@given(TEXTS)
def test_they_find_what_python_finds(text):
    pure = pure_rules()
    found = rules.find_definitions(text, 0.0)
    acronyms = rules.find_acronyms(text)
    assert found == pure.find_definitions(text, 0.0)
    assert acronyms == pure.find_acronyms(text)
    assert rules.schwartz_hearst(text) == pure.schwartz_hearst(text)
    assert rules.defined_mentions(text, found) == pure.defined_mentions(text, found)
    assert rules.find_unmarked(text, acronyms, found) == pure.find_unmarked(text, acronyms, found)
    assert rules.find_known(text, {"k8s", "esp."}, acronyms) == pure.find_known(
        text, {"k8s", "esp."}, acronyms
    )
    written = [text[slice(*one)] for one in acronyms]
    assert rules.document_phrases(text, written) == pure.document_phrases(text, written)
    assert [*map(rules.variants, written)] == [*map(pure.variants, written)]
    assert rules.merge_key(text) == pure.merge_key(text)


def test_what_they_return_is_copied_and_pickled():
    [one] = rules.find_definitions("A hidden Markov model (HMM) was trained.")
    assert copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
    assert type(one) is rules.Definition


def test_their_errors_are_the_package_s_own():
    with pytest.raises(InputError, match="is no BIO label"):
        rules.decode_bio(["X"])
