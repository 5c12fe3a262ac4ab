"""Files with a part missing or a bit turned."""

import random
from collections.abc import Iterator

Damaged = tuple[str, bytes]  # what was done, the file's bytes afterwards


def damaged(data: bytes, rng: random.Random, each: int) -> Iterator[Damaged]:
    """`each` of: cut off anywhere, one bit turned, a run of bytes overwritten, a run taken out."""
    for _ in range(each):
        place = rng.randrange(len(data))
        yield f"cut at {place}", data[:place]
        bit = 1 << rng.randrange(8)
        yield f"bit {bit} of {place} turned", _with(data, place, bytes([data[place] ^ bit]))
        length = rng.randint(1, 16)
        noise = rng.randbytes(length)
        yield f"{noise!r} at {place}", _with(data, place, noise)
        yield f"{length} bytes at {place} gone", data[:place] + data[place + length :]


def _with(data: bytes, place: int, part: bytes) -> bytes:
    return (data[:place] + part + data[place + len(part) :])[: len(data)]
