import numpy as np

from spacy_gladis.modeling.calibration import FEATURES
from spacy_gladis.modeling.evidence import ATTESTED, INITIALS, SEEN, UNSEEN
from spacy_gladis.research.training.calibrate import _forget


def test_of_a_forgotten_candidate_its_name_alone_is_known() -> None:
    known = np.zeros((40, len(FEATURES)), dtype=np.float32)
    known[:, SEEN] = known[:, ATTESTED] = 1
    known[::2, INITIALS] = 1
    seen = _forget(known, np.random.default_rng(0))
    lost = seen[:, UNSEEN] == 1
    assert 0 < lost.sum() < 40
    assert not seen[lost, SEEN].any()
    assert np.array_equal(seen[lost, ATTESTED], known[lost, INITIALS])
    assert np.array_equal(seen[~lost], known[~lost])
