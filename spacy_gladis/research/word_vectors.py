"""Vectors of words to start a network from: means of the packaged model's word pieces."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def word_vectors(words: Sequence[str], width: int) -> NDArray[np.float32]:
    """Vectors of words, float32 [words, width], of mean 0 and variance 1 over all of them.

    A word's vector is the mean of its pieces' in the input table of the packaged AcroBERT, reduced
    to the principal components of these words. They stand in for GloVe, which the papers start
    from and which no package carries.
    """
    from ..modeling import AcroBERT

    model = AcroBERT.load(None)
    table = model.module.bert.embeddings.word_embeddings.weight.detach().float().numpy()
    pieces = [ids[1:-1] or [model.pieces.pad] for ids in model.pieces.long_forms(words)]
    means = np.stack([table[ids].mean(0) for ids in pieces])
    means -= means.mean(0)
    _, _, axes = np.linalg.svd(means, full_matrices=False)
    reduced = means @ axes[:width].T
    vectors = np.zeros((len(words), width), dtype=np.float32)
    vectors[:, : reduced.shape[1]] = reduced / max(float(reduced.std()), 1e-6)
    return vectors
