"""How near product-quantised vectors are to what they code, rotated before and as they are.

    python benchmarks/coded_vectors.py CONTEXTS

CONTEXTS: the folder of vectors that `spacy-gladis train memory --work` wrote. Of 60,000 of them
half are read for the codebooks; the mean cosine is that of the other half.
"""

import argparse
from pathlib import Path

import numpy as np
from measuring import RESULTS, write_results

from spacy_gladis.modeling.coded_vectors import StoredVectors
from spacy_gladis.research.training.centroids import quantise

RESULT = RESULTS / "coded_vectors.json"
EACH = 30_000
PARTS = (32, 48, 64)


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("contexts", type=Path)
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    files = sorted(options.contexts.glob("vectors-*.npy"))
    vectors = np.concatenate([np.load(path) for path in files])
    vectors = np.random.default_rng(0).permutation(vectors)[: 2 * EACH]
    rows = [
        {
            "bytes": parts,
            "cosine": cosine(vectors, parts, rotate=False),
            "cosine_rotated": cosine(vectors, parts, rotate=True),
        }
        for parts in PARTS
    ]
    write_results(options.output, {"vectors": len(vectors), "parts": rows})


def cosine(vectors: np.ndarray, parts: int, rotate: bool) -> float:
    """Of the vectors that the codebooks are not made of and their codes, the mean."""
    seed = 0
    seen = np.random.default_rng(seed).permutation(len(vectors))[:EACH]  # as `quantise` draws them
    keys = np.arange(len(vectors), dtype=np.uint64)
    coded = StoredVectors(keys, *quantise(vectors, seed, parts, EACH, rotate=rotate))
    rest = np.setdiff1d(np.arange(len(vectors)), seen)
    decoded = coded.vectors(rest)
    products = (decoded * vectors[rest]).sum(1) / np.linalg.norm(decoded, axis=1)
    return round(float(products.mean()), 4)


if __name__ == "__main__":
    main()
