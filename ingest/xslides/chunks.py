"""Windows of a long source, as the benchmark cuts them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Chunk:
    """One window: 1-based `index`, character offsets `start` (in) to `end` (out), `text`."""

    index: int
    start: int
    end: int
    text: str

    @property
    def prompt_text(self) -> str:
        """Return the text with the prefix that tells where it stands in the source."""
        return f"[Source chunk chars {self.start}-{self.end}]\n{self.text}"


def count_chunks(length: int, chunk_chars: int, chunk_overlap: int) -> int:
    """Return how many windows a text of `length` characters is cut into, without cutting it."""
    if chunk_chars <= 0 or length <= chunk_chars:
        return 1
    step = _step(chunk_chars, chunk_overlap)
    return 1 + -(-(length - chunk_chars) // step)


def chunk_source(text: str, chunk_chars: int, chunk_overlap: int) -> list[Chunk]:
    """Cut a text into windows of `chunk_chars` characters.

    With `chunk_chars` of 0 or less, or a text that fits, there is one chunk. The step is
    `chunk_chars` less the overlap (a negative overlap is none), and at least 1, so that the
    loop ends and every character is in some window. The last window ends with the text.
    """
    count = count_chunks(len(text), chunk_chars, chunk_overlap)
    if count == 1:
        return [Chunk(1, 0, len(text), text)]
    step = _step(chunk_chars, chunk_overlap)
    chunks = []
    for number in range(count):
        start = number * step
        end = min(start + chunk_chars, len(text))
        chunks.append(Chunk(number + 1, start, end, text[start:end]))
    return chunks


def _step(chunk_chars: int, chunk_overlap: int) -> int:
    return max(1, chunk_chars - max(0, chunk_overlap))
