"""The best sequence of labels where not every label may follow every other."""

from collections.abc import Sequence


def viterbi(scores: Sequence[Sequence[float]], follows: Sequence[Sequence[bool]]) -> list[int]:
    """The labels of the allowed sequence with the highest sum of scores.

    scores: [steps, labels], such as logarithms of probabilities. follows: [label before, label],
        whether one may follow the other; the first step follows label 0. Some label may follow
        each. Of equal sequences the one of the lower labels is taken.
    """
    if not scores:
        return []
    labels = range(len(follows))
    never = float("-inf")
    total = [scores[0][one] if follows[0][one] else never for one in labels]
    back: list[list[int]] = []
    for row in scores[1:]:
        best = [
            max((before for before in labels if follows[before][one]), key=total.__getitem__)
            for one in labels
        ]
        total = [total[before] + score for before, score in zip(best, row, strict=True)]
        back.append(best)
    path = [max(labels, key=total.__getitem__)]
    for best in reversed(back):
        path.append(best[path[-1]])
    return path[::-1]
