"""Candidate pairs for deduplication: few enough to verify, and never one too few.

Questions: the longest common subsequence of two texts cannot be longer than the overlap
of their character counts. Counts are written in unary into bits, so that this bound is
one AND and one bit count per 64 bits; it is checked only for texts whose lengths allow
the threshold at all. Evidence: two sets with Jaccard index t share a token among the
rarest |x| - ceil(t·|x|) + 1 tokens of each, so only those are joined.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

BINS = 32
BLOCK_PAIRS = 4_000_000
WORDS = 4
# Guards against losing a pair that lies exactly on a threshold to rounding.
SLACK = 1e-9

Pairs = NDArray[np.int64]


def question_candidates(texts: Sequence[str], threshold: float) -> Pairs:
    """Return pairs (i < j) among which are all with an Indel ratio of `threshold` or more."""
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    order = np.argsort(lengths, kind="stable")
    lengths = lengths[order]
    bits, rest = _unary_counts([texts[index] for index in order])
    sizes, starts = np.unique(lengths, return_index=True)
    stops = np.append(starts[1:], len(texts))
    found: list[Pairs] = []
    for first, size in enumerate(sizes):
        for second in range(first, len(sizes)):
            # 2·min/(a+b) >= t: beyond this length nothing can be alike enough.
            total = int(size + sizes[second])
            need = math.ceil(total * threshold / 2 - SLACK)
            if need > size:
                break
            left, right = slice(starts[first], stops[first]), slice(starts[second], stops[second])
            found.extend(_alike(bits, rest, left, right, need))
    return _ordered(found, order)


def evidence_candidates(tokens: Sequence[frozenset[str]], threshold: float) -> Pairs:
    """Return pairs (i < j) among which are all with a Jaccard index of `threshold` or more."""
    frequency = Counter(token for one in tokens for token in one)
    rank = {
        token: number
        for number, (token, _) in enumerate(
            sorted(frequency.items(), key=lambda item: (item[1], item[0]))
        )
    }
    rows: list[int] = []
    columns: list[int] = []
    for position, one in enumerate(tokens):
        ranks = sorted(rank[token] for token in one)
        prefix = len(ranks) - math.ceil(threshold * len(ranks) - SLACK) + 1
        columns.extend(ranks[:prefix])
        rows.extend([position] * len(ranks[:prefix]))
    shape = (len(tokens), len(rank))
    matrix = sparse.csr_matrix((np.ones(len(rows), dtype=np.int32), (rows, columns)), shape=shape)
    sizes = np.array([len(one) for one in tokens], dtype=np.int64)
    maps = _token_maps(tokens, rank)
    return _sharing(matrix, sizes, maps, threshold)


def _token_maps(tokens: Sequence[frozenset[str]], rank: dict[str, int]) -> NDArray[np.uint64]:
    """Return (n, WORDS) bit maps of token sets; two tokens may fall on one bit."""
    size = WORDS * 64
    flags = np.zeros((len(tokens), size), dtype=np.bool_)
    for row, one in enumerate(tokens):
        flags[row, [rank[token] % size for token in one]] = True
    return np.packbits(flags, axis=1, bitorder="little").view(np.uint64)


def _sharing(
    matrix: sparse.csr_matrix,
    sizes: NDArray[np.int64],
    maps: NDArray[np.uint64],
    threshold: float,
) -> Pairs:
    found: list[Pairs] = [np.zeros((0, 2), dtype=np.int64)]
    transposed = matrix.T.tocsr()
    lost = sizes - np.bitwise_count(maps).sum(axis=1, dtype=np.int64)
    step = 2048
    for start in range(0, matrix.shape[0], step):
        product = (matrix[start : start + step] @ transposed).tocoo()
        i = product.row.astype(np.int64) + start
        j = product.col.astype(np.int64)
        small, large = np.minimum(sizes[i], sizes[j]), np.maximum(sizes[i], sizes[j])
        keep = (i < j) & (small >= threshold * large - SLACK)
        i, j = i[keep], j[keep]
        # Tokens that share a bit are counted once too few: what either side lost is added.
        common = np.bitwise_count(maps[i] & maps[j]).sum(axis=1, dtype=np.int64)
        common += np.minimum(lost[i], lost[j])
        # Jaccard t means an intersection of t/(1+t) of both sizes together.
        keep = common >= threshold / (1 + threshold) * (sizes[i] + sizes[j]) - SLACK
        found.append(np.stack([i[keep], j[keep]], axis=1))
    return np.concatenate(found)


def _unary_counts(
    texts: Sequence[str],
) -> tuple[NDArray[np.uint64], NDArray[np.uint16]]:
    """Return (n, WORDS) bits and, per text, how many characters had no bit to stand in.

    Characters are hashed into `BINS` bins; bin b gets bits for its first counts, more for
    bins that are fuller over all texts.
    """
    counts = np.zeros((len(texts), BINS), dtype=np.int64)
    for row, text in enumerate(texts):
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        counts[row] = np.bincount(codes % BINS, minlength=BINS)
    size = WORDS * 64
    share = counts.mean(axis=0) + counts.std(axis=0)
    depth = np.maximum(1, np.floor(share / max(share.sum(), 1e-12) * (size - BINS))).astype(
        np.int64
    )
    columns = [counts[:, b] > level for b in range(BINS) for level in range(depth[b])][:size]
    unary = np.zeros((len(texts), size), dtype=np.bool_)
    if columns:
        # Bits that are set in about half of the texts tell most apart: they come first.
        columns.sort(key=lambda column: abs(float(column.mean()) - 0.5))
        unary[:, : len(columns)] = np.stack(columns, axis=1)
    packed = np.packbits(unary, axis=1, bitorder="little").view(np.uint64)
    rest = np.minimum(counts.sum(axis=1) - unary.sum(axis=1), np.iinfo(np.uint16).max)
    return packed, rest.astype(np.uint16)


def _alike(
    bits: NDArray[np.uint64], rest: NDArray[np.uint16], left: slice, right: slice, need: int
) -> Iterator[Pairs]:
    """Yield pairs of texts of two lengths whose character counts overlap in `need` or more."""
    step = max(1, BLOCK_PAIRS // (right.stop - right.start))
    for start in range(left.start, left.stop, step):
        rows = slice(start, min(start + step, left.stop))
        shared = np.minimum(rest[rows, None], rest[None, right]).astype(np.uint16)
        for word in range(bits.shape[1]):
            shared += np.bitwise_count(bits[rows, word, None] & bits[None, right, word])
        i, j = np.nonzero(shared >= need)
        i, j = i + rows.start, j + right.start
        keep = j > i
        yield np.stack([i[keep], j[keep]], axis=1).astype(np.int64)


def _ordered(found: list[Pairs], order: NDArray[np.int64]) -> Pairs:
    pairs = np.concatenate(found) if found else np.zeros((0, 2), dtype=np.int64)
    return np.sort(order[pairs], axis=1)
