"""Pairs of texts that may be alike: few enough to verify, and never one too few.

The longest common subsequence of two texts cannot be longer than the overlap of their character
counts, so their Indel distance is at least the sum of the differences of the counts. Counts are
written in unary into bits: two texts differ in at most as many bits as their counts differ, and a
pair costs one XOR and one bit count per 64 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

BINS = 32
# 64-bit words per text, and how many of them all pairs are compared by: with 128 bits about as few
# pairs are left as with all 256, with 64 bits forty times as many.
WORDS, DENSE_WORDS = 4, 2
# Rows by columns of a block: its bits fit into a core's own cache.
BLOCK_ROWS, BLOCK_COLUMNS = 32, 4096
BLOCK_TEXTS = 10_000
# Guards against losing a pair that lies exactly on a threshold to rounding.
SLACK = 1e-9

THREADS = 2

Pairs = NDArray[np.int64]


def question_candidates(texts: Sequence[str], threshold: float) -> Pairs:
    """Return (m, 2) pairs i < j among which are all with an Indel ratio of `threshold` or more.

    Args:
        texts: any texts, compared as they are.
        threshold: of the ratio 2·LCS/(a+b), above 0 and at most 1.
    """
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    order = np.argsort(lengths, kind="stable")
    bits, rest = _unary_counts([texts[index] for index in order])
    sheet = _Sheet(lengths[order], bits, rest, threshold)
    # Nearly all the time is spent inside numpy, which lets other threads run.
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(sheet.near, range(0, len(texts), BLOCK_ROWS)))
    return np.sort(order[np.concatenate([np.zeros((0, 2), dtype=np.int64), *found])], axis=1)


class _Room:
    """Memory for the bits of one block and the distances counted from them."""

    def __init__(self) -> None:
        self.different = np.empty(BLOCK_ROWS * BLOCK_COLUMNS, dtype=np.uint64)
        self.distance = np.empty(BLOCK_ROWS * BLOCK_COLUMNS, dtype=np.uint8)


class _Sheet:
    """Texts in the order of their lengths, as bits to compare them by.

    Args:
        lengths: (n,) lengths, ascending.
        bits: (n, WORDS) character counts in unary, the most telling bits first.
        rest: (n,) characters that have no bit.
        threshold: as in `question_candidates`.
    """

    def __init__(
        self,
        lengths: NDArray[np.int64],
        bits: NDArray[np.uint64],
        rest: NDArray[np.int64],
        threshold: float,
    ) -> None:
        self._lengths, self._bits, self._rest = lengths, bits, rest
        self._threshold = threshold
        self._dense = np.ascontiguousarray(bits[:, :DENSE_WORDS].T)
        # 2·min/(a+b) >= t: beyond this length nothing is alike enough.
        longest = np.floor(2 * lengths / threshold - lengths + SLACK)
        self._stops = np.searchsorted(lengths, longest, side="right")

    def near(self, top: int) -> Pairs:
        """Return the pairs of BLOCK_ROWS texts from `top` on with texts that come after them."""
        bottom = min(top + BLOCK_ROWS, len(self._lengths))
        end = int(self._stops[bottom - 1])
        # Written over for each block: fresh memory would cost more than the arithmetic.
        room = _Room()
        found = [
            self._near_in_block(top, bottom, left, min(left + BLOCK_COLUMNS, end), room)
            for left in range(top, end, BLOCK_COLUMNS)
        ]
        i, j = np.concatenate(found, axis=1)
        i, j = i[i < j], j[i < j]
        distance = np.bitwise_count(self._bits[i] ^ self._bits[j]).sum(axis=1, dtype=np.int64)
        distance += np.abs(self._rest[i] - self._rest[j])
        keep = distance <= self._allowed(i, j)
        return np.stack([i[keep], j[keep]], axis=1)

    def _near_in_block(
        self, top: int, bottom: int, left: int, right: int, room: _Room
    ) -> NDArray[np.int64]:
        """Return (2, m) places in a block whose first bits allow the threshold."""
        shape, size = (bottom - top, right - left), (bottom - top) * (right - left)
        different = room.different[:size].reshape(shape)
        distance = room.distance[:size].reshape(shape)
        for number, word in enumerate(self._dense):
            np.bitwise_xor(word[top:bottom, None], word[None, left:right], out=different)
            if number == 0:
                np.bitwise_count(different, out=distance)
            else:
                distance += np.bitwise_count(different)
        # Places are found flat: in two dimensions that takes longer than all the rest.
        longest = self._lengths[bottom - 1] + self._lengths[right - 1]
        # A whole number, so that bytes are compared and not turned into floats first.
        most = int((1 - self._threshold) * longest + SLACK)
        places = np.flatnonzero(distance <= most)
        i, j = np.divmod(places, right - left)
        return np.stack([i + top, j + left])

    def _allowed(self, i: NDArray[np.int64], j: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the largest Indel distance at which texts i and j are alike.

        Distances have the parity of both lengths together, so this may be less for longer texts.
        """
        totals = self._lengths[i] + self._lengths[j]
        needed: NDArray[np.int64] = np.ceil(totals * self._threshold / 2 - SLACK).astype(np.int64)
        return totals - 2 * needed


def _unary_counts(texts: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return (n, WORDS) bits and, per text, how many characters had no bit to stand in.

    Characters are hashed into `BINS` bins; bin b gets bits for its first counts, more for bins
    that are fuller over all texts.
    """
    counts = _character_counts(texts)
    size = WORDS * 64
    share = counts.mean(axis=0) + counts.std(axis=0) if len(texts) else np.zeros(BINS)
    depth = np.maximum(1, np.floor(share / max(share.sum(), 1e-12) * (size - BINS)))
    bins = np.repeat(np.arange(BINS), depth.astype(np.int64))[:size]
    levels = np.concatenate([np.arange(one) for one in depth.astype(np.int64)])[:size]
    unary = np.zeros((len(texts), size), dtype=np.bool_)
    columns = counts[:, bins] > levels
    # Bits that are set in about half of the texts tell most apart: they come first.
    unary[:, : len(bins)] = columns[:, np.argsort(np.abs(columns.mean(axis=0) - 0.5))]
    packed = np.packbits(unary, axis=1, bitorder="little").view(np.uint64)
    return packed, counts.sum(axis=1) - unary.sum(axis=1)


def _character_counts(texts: Sequence[str]) -> NDArray[np.int64]:
    """Return (n, BINS) counts of the characters of each text, hashed into bins."""
    counts = [np.zeros((0, BINS), dtype=np.int64)]
    for start in range(0, len(texts), BLOCK_TEXTS):
        block = texts[start : start + BLOCK_TEXTS]
        codes = np.frombuffer("".join(block).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        rows = np.repeat(np.arange(len(block)), [len(text) for text in block])
        flat = np.bincount(rows * BINS + codes % BINS, minlength=len(block) * BINS)
        counts.append(flat.reshape(len(block), BINS))
    return np.concatenate(counts)
