"""Evidence as sets of integers: tokens ranked by rarity, pairs of sets that overlap enough."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingest.documents.words import normalize_tokens

BLOCK_PAIRS = 1_000_000
WORDS = 4
# Guards against losing a pair that lies exactly on a threshold to rounding.
SLACK = 1e-9

Pairs = NDArray[np.int64]
Numbers = NDArray[np.int64]
# The word rule does not split at these, `str.split` does.
_INFORMATION_SEPARATOR = re.compile("[\x1c-\x1f]")


@dataclass(frozen=True)
class TokenSets:
    """The token sets of n texts, one after the other.

    Args:
        ranks: (total,) ranks of the tokens, ascending inside a set; 0 is the rarest token.
        starts: (n + 1,) where each set begins in `ranks`, and the total.
        vocabulary_size: number of distinct tokens.
    """

    ranks: Numbers
    starts: Numbers
    vocabulary_size: int

    @property
    def sizes(self) -> Numbers:
        """(n,) number of tokens of each set."""
        return np.diff(self.starts)


def token_sets(texts: Sequence[str]) -> TokenSets:
    """Return the sets of the tokens that `normalize_tokens` finds in each text."""
    numbers = _TokenNumbers()
    found = [numbers.of_text(text) for text in texts]
    rows = np.repeat(np.arange(len(texts)), [len(one) for one in found])
    tokens = np.array([number for one in found for number in one], dtype=np.int64)
    size = max(1, len(numbers.by_token))
    is_word = tokens >= 0
    rows, tokens = np.divmod(distinct(rows[is_word] * size + tokens[is_word]), size)
    by_rarity = np.argsort(np.bincount(tokens, minlength=size), kind="stable")
    rank = np.empty(size, dtype=np.int64)
    rank[by_rarity] = np.arange(size)
    rows, ranks = np.divmod(np.sort(rows * size + rank[tokens]), size)
    starts = np.searchsorted(rows, np.arange(len(texts) + 1))
    return TokenSets(ranks, starts, size)


def overlaps(sets: TokenSets, pairs: Pairs) -> NDArray[np.float64]:
    """Return the Jaccard index (0-1) of each pair of sets; 0 when both are empty."""
    keys = _rows(sets) * sets.vocabulary_size + sets.ranks
    shared = np.zeros(len(pairs), dtype=np.int64)
    sizes = sets.sizes
    for part in _parts(sizes[pairs[:, 0]]):
        left, right = pairs[part, 0], pairs[part, 1]
        which, place = _expanded(sets.starts[left], sizes[left])
        wanted = right[which] * sets.vocabulary_size + sets.ranks[place]
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        shared[part] = np.bincount(which[keys[at] == wanted], minlength=len(left))
    union = sizes[pairs[:, 0]] + sizes[pairs[:, 1]] - shared
    share: NDArray[np.float64] = shared / np.maximum(union, 1)
    return share


def evidence_candidates(sets: TokenSets, threshold: float) -> Pairs:
    """Return (m, 2) pairs i < j among which are all with a Jaccard index of `threshold` or more.

    Two sets with Jaccard index t share a token among the rarest |x| - ceil(t·|x|) + 1 tokens of
    each, so only those are joined. A pair of unequal sizes has at most the index small / large.
    """
    sizes = sets.sizes
    # From here on sets are numbered by size, so that the larger partners of a set come after it.
    order = np.argsort(sizes, kind="stable")
    needed = np.ceil(threshold * sizes - SLACK).astype(np.int64)
    prefix = np.minimum(sizes, sizes - needed + 1)[order]
    row, place = _expanded(sets.starts[order], prefix)
    keys = sets.ranks[place] * len(order) + row
    by_token = np.argsort(keys)
    keys, joined = keys[by_token], row[by_token]
    begin = np.empty_like(by_token)
    begin[by_token] = np.arange(1, len(by_token) + 1)
    reach = np.searchsorted(sizes[order], sizes[order] / threshold + SLACK, side="right")
    stop = np.searchsorted(keys, sets.ranks[place] * len(order) + reach[row], side="left")
    # With a partner as large or larger even more tokens are shared, so of the smaller set an even
    # shorter prefix has one of them.
    inner = sizes - np.ceil(2 * threshold / (1 + threshold) * sizes - SLACK).astype(np.int64)
    stop = np.where(place - sets.starts[order][row] <= inner[order][row], stop, begin)
    maps, lost = _bit_maps(sets)
    found: list[Pairs] = [np.zeros((0, 2), dtype=np.int64)]
    # A block holds whole rows, so a pair that shares many tokens is dropped to one inside it.
    for part in _parts(stop - begin, row):
        entry, other = _expanded(begin[part], (stop - begin)[part])
        both = distinct(row[part][entry] * len(order) + joined[other])
        pairs = order[np.stack(np.divmod(both, len(order)), axis=1)]
        i, j = pairs[:, 0], pairs[:, 1]
        # Tokens that share a bit are counted once too few: what either side lost is added.
        common = np.bitwise_count(maps[i] & maps[j]).sum(axis=1, dtype=np.int64)
        common += np.minimum(lost[i], lost[j])
        # Jaccard t means an intersection of t/(1+t) of both sizes together.
        keep = common >= threshold / (1 + threshold) * (sizes[i] + sizes[j]) - SLACK
        found.append(np.sort(pairs[keep], axis=1))
    return np.concatenate(found)


def distinct(numbers: Numbers) -> Numbers:
    """Return each number once, ascending; `numpy.unique` hashes, which takes ten times as long."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=-1) > 0]


class _TokenNumbers(dict[str, int]):
    """Numbers of tokens by the piece between white space they come from, -1 for no word."""

    def __init__(self) -> None:
        super().__init__()
        self.by_token: dict[str, int] = {}

    def of_text(self, text: str) -> list[int]:
        """Return the numbers of a text's tokens, in order and with repeats."""
        if text.isascii() and not _INFORMATION_SEPARATOR.search(text):
            # In ASCII the word rule works on each piece alone, so each is normalised only once.
            return list(map(self.__getitem__, text.split()))
        return [self._number(token) for token in normalize_tokens(text)]

    def __missing__(self, piece: str) -> int:
        tokens = normalize_tokens(piece)
        self[piece] = self._number(tokens[0]) if tokens else -1
        return self[piece]

    def _number(self, token: str) -> int:
        return self.by_token.setdefault(token, len(self.by_token))


def _bit_maps(sets: TokenSets) -> tuple[NDArray[np.uint64], Numbers]:
    """Return (n, WORDS) bit maps of the sets, and how many tokens fell on a bit already set."""
    flags = np.zeros((len(sets.starts) - 1, WORDS * 64), dtype=np.bool_)
    flags[_rows(sets), sets.ranks % (WORDS * 64)] = True
    maps = np.packbits(flags, axis=1, bitorder="little").view(np.uint64)
    return maps, sets.sizes - flags.sum(axis=1)


def _rows(sets: TokenSets) -> Numbers:
    return np.repeat(np.arange(len(sets.starts) - 1), sets.sizes)


def _expanded(starts: Numbers, counts: Numbers) -> tuple[Numbers, Numbers]:
    """Return, for each number in each range, which range it is of, and the number."""
    which = np.repeat(np.arange(len(starts)), counts)
    offsets = np.concatenate([[0], np.cumsum(counts)[:-1]]) if len(counts) else counts
    return which, np.arange(len(which)) - (offsets - starts)[which]


def _parts(counts: Numbers, rows: Numbers | None = None) -> Iterator[slice]:
    """Cut a list into slices whose counts add up to about BLOCK_PAIRS; rows are not cut."""
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + BLOCK_PAIRS, side="right")))
        if rows is not None:
            stop = int(np.searchsorted(rows, rows[stop - 1], side="right"))
        yield slice(start, stop)
        start = stop
