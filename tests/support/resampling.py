"""The resampler once more in numpy, from its description: no code of the product."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

PRIME = np.uint64(2**31 - 1)
SEED = 20260617
RESAMPLES = 10_000

Integers = NDArray[np.int64]


def keys(seed: int = SEED, stream: int = 0) -> list[int]:
    """Return three round keys: the first 8 bytes of SHA-256 of `seed:index`, modulo p.

    A stream above 0 stands behind the seed: `seed/stream:index`.
    """
    name = f"{seed}/{stream}" if stream else f"{seed}"
    digests = [hashlib.sha256(f"{name}:{index}".encode()).digest() for index in range(3)]
    return [int.from_bytes(digest[:8], "big") % (2**31 - 1) for digest in digests]


def counts(units: int, resamples: int = RESAMPLES, seed: int = SEED, stream: int = 0) -> Integers:
    """Return how often each of n units is drawn, an array of (resamples, units)."""
    state = np.arange(resamples * units, dtype=np.uint64)
    for key in keys(seed, stream):
        moved = (state + np.uint64(key)) % PRIME
        square = moved * moved % PRIME
        state = square * square % PRIME * moved % PRIME
    drawn = (state * np.uint64(units) // PRIME).astype(np.int64).reshape(resamples, units)
    rows = np.arange(resamples)[:, None] * units
    tally = np.bincount((rows + drawn).ravel(), minlength=resamples * units)
    return tally.reshape(resamples, units).astype(np.int64)


def replicate_sums(values: Integers, seed: int = SEED) -> Integers:
    """Return the resampled sums of fixed-point values, in replicate order."""
    return counts(len(values), seed=seed) @ values
