"""Round keys and ranks of the bootstrap: what SQL cannot compute for itself.

The resampler is a counter-mode permutation over GF(2^31 - 1): the counter
`replicate * n + draw` goes through three rounds of `x -> (x + key)^5 mod p`, and the
result maps to a row by `floor(x * n / p)`. x^5 is a permutation because 5 does not divide
p - 1. Round keys come from the seed by SHA-256, because neighbouring seeds that were added
to the counter would give shifted copies of one stream. Strata draw from streams of their own,
which are further seeds, so that two strata of one size are not drawn alike.

Ranks are order statistics of the B sorted replicates: lower max(1, round(alpha/2 * (B+1)))
and its mirror; `expanded` widens alpha to alpha' = 2 * Phi(-sqrt(n/(n-1)) * t), after
Hesterberg, "What Teachers Should Know about the Bootstrap" (2015).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from warehouse import storage

PRIME = 2**31 - 1
ROUNDS = 3
STREAMS = 4
"""Independent streams of draws: 0 for groups resampled as a whole, 1 and up for strata."""
SEED = 20260617
RESAMPLES = (10_000,)
CONFIDENCE = 0.95
MAX_UNITS = 20_000
"""Above this many units the interval is the normal one; it keeps B * n below 2^31."""

METHODS = ("percentile", "expanded")
TABLES_VERSION = 1
"""Raised when the content of the tables changes for another reason than the constants."""


def round_keys(seed: int = SEED, stream: int = 0) -> list[int]:
    """Return the round keys of a seed and stream, each in [0, p).

    Stream 0 is that of the seed alone; the texts of two streams are never the same.
    """
    name = f"{seed}/{stream}" if stream else f"{seed}"
    digests = [hashlib.sha256(f"{name}:{index}".encode()).digest() for index in range(ROUNDS)]
    return [int.from_bytes(digest[:8], "big") % PRIME for digest in digests]


def lower_ranks(method: str, resamples: int, max_units: int = MAX_UNITS) -> np.ndarray:
    """Return the 1-based lower rank for n = 2..max_units.

    Args:
        method: `percentile` or `expanded`.
        resamples: B, the number of replicates.
        max_units: largest n.
    """
    # SciPy takes more than a second to import; the tables need it once per warehouse.
    from scipy import stats

    units = np.arange(2, max_units + 1, dtype=np.float64)
    half_alpha = np.full_like(units, (1 - CONFIDENCE) / 2)
    if method == "expanded":
        quantile = stats.t.ppf(1 - half_alpha, df=units - 1)
        half_alpha = stats.norm.cdf(-np.sqrt(units / (units - 1)) * quantile)
    # Half to even would make the rank depend on the parity of B; half goes up here.
    ranks = np.floor(half_alpha * (resamples + 1) + 0.5).astype(np.int64)
    return np.maximum(ranks, 1)


def write_tables(folder: Path) -> dict[str, Path]:
    """Write the small tables that the models read; return path by relation name.

    Files are written once per version of their content and are the same on any machine.
    """
    makers = {"bootstrap_round_keys": _round_key_table, "bootstrap_ranks": _rank_table}
    written = {}
    for name, make in makers.items():
        path = folder / f"{name}-{_fingerprint()}.parquet"
        if not path.exists():
            with storage.temporary_sibling(path) as temporary:
                pq.write_table(make(), temporary, compression="zstd")
        written[name] = path
    return written


def _round_key_table() -> pa.Table:
    keys = [key for stream in range(STREAMS) for key in round_keys(stream=stream)]
    return pa.table(
        {
            "seed": pa.array([SEED] * len(keys), pa.int64()),
            "stream": pa.array([index // ROUNDS for index in range(len(keys))], pa.int64()),
            "round_number": pa.array(list(range(1, ROUNDS + 1)) * STREAMS, pa.int64()),
            "round_key": pa.array(keys, pa.int64()),
        }
    )


def _rank_table() -> pa.Table:
    blocks = []
    for resamples in RESAMPLES:
        for method in METHODS:
            low = lower_ranks(method, resamples)
            count = len(low)
            blocks.append(
                pa.table(
                    {
                        "method": pa.array([method] * count),
                        "resamples": pa.array([resamples] * count, pa.int64()),
                        "unit_count": pa.array(range(2, MAX_UNITS + 1), pa.int64()),
                        "low_rank": pa.array(low),
                        "high_rank": pa.array(resamples + 1 - low),
                    }
                )
            )
    return pa.concat_tables(blocks)


def _fingerprint() -> str:
    """Return the hash of all that the tables are made of."""
    parts = (
        TABLES_VERSION,
        PRIME,
        ROUNDS,
        STREAMS,
        SEED,
        RESAMPLES,
        CONFIDENCE,
        MAX_UNITS,
        METHODS,
    )
    return storage.sha256_bytes(repr(parts).encode())[:12]
