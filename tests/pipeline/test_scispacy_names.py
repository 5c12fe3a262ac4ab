"""scispacy's names; in a process of its own, because extensions are for the whole process."""

import subprocess
import sys

import pytest

CODE = """
import spacy
from spacy.tokens import DocBin

if __name__ == "__main__":
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector", config={"scispacy_names": True})
    text = "The WHO. World Health Organization (WHO) met; the WHO and an API."
    (doc,) = nlp.pipe([text], n_process=2)
    (doc,) = DocBin(docs=[doc], store_user_data=True).get_docs(nlp.vocab)
    for span in doc._.abbreviations:
        print(span.text, span.start, span._.long_form.text, span._.long_form.start)
    print([span._.long_form for span in doc.spans["acronyms"]][-1])
"""


@pytest.mark.slow
def test_abbreviations_have_spans_as_long_forms(tmp_path):
    (tmp_path / "code.py").write_text(CODE)
    done = subprocess.run(
        [sys.executable, tmp_path / "code.py"], capture_output=True, text=True, timeout=300
    )
    assert done.stdout.splitlines() == [
        "WHO 1 World Health Organization 3",
        "WHO 7 World Health Organization 3",
        "WHO 12 World Health Organization 3",
        "None",
    ], done.stderr
