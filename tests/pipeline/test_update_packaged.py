"""`nlp.update` with the packaged weights: new senses are learnt and the old ones kept."""

from pathlib import Path

import pytest
import spacy

from tests.support.teaching import (
    accuracy,
    make_pipeline,
    new_senses,
    old,
    other_old,
    train,
    training,
)


@pytest.mark.slow
def test_new_senses_are_learnt_and_old_ones_kept(tmp_path: Path) -> None:
    nlp = make_pipeline()
    before, others_before = accuracy(nlp, old()), accuracy(nlp, other_old())
    assert accuracy(nlp, new_senses()) == 0
    train(nlp, [*training(), *old()])
    assert accuracy(nlp, new_senses()) >= 0.9
    assert accuracy(nlp, old()) >= before - 0.02
    assert accuracy(nlp, other_old()) >= others_before - 0.02
    both = "The CT scan and the MRI showed a tumour."
    nlp.to_disk(tmp_path / "taught")
    taught = spacy.load(tmp_path / "taught")
    taught.add_pipe("acronym_detector", first=True)
    found = [span._.long_form for span in taught(both)._.acronyms]
    assert found == ["computed tomography", "magnetic resonance imaging"]
    assert accuracy(taught, new_senses()[:20]) >= 0.9
