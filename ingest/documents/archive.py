"""Bounded reading of a ZIP package that nobody vouches for.

Only the parts that are asked for are inflated, each one up to a limit, whatever sizes the package's
directory claims. Archives inside the archive are never opened.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from typing import Any

from ingest.documents.directory import Entry, read_directory
from ingest.documents.document import DocumentStatus
from ingest.documents.failures import FileFailureError, PartFailureError
from ingest.documents.policy import Limits

# APPNOTE 4.3.7: the fixed part of a local file header ends with the sizes of name and extra field.
_LOCAL_HEADER = struct.Struct("<26x2H")
_ENCRYPTED_FLAG = 0x1


class Package:
    """The parts of a ZIP package by name.

    `memo` is for what readers make of parts that many folders hold alike, such as the relations of
    slides: kept with the package, it is as old as the package.

    Args:
        data: the bytes of the file.
        limits: how much may be inflated.

    Raises:
        FileFailureError: `damaged` when the directory cannot be read, `too_large` when it lists
            more parts or bytes than the limits allow.
    """

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._data = data
        self._limits = limits
        self._inflated_bytes = 0
        self.memo: dict[tuple[str, bytes], Any] = {}
        entries = read_directory(data)
        self._refuse_bombs(entries)
        self._entries = {entry.name: entry for entry in entries}
        self._folded: dict[str, str] | None = None

    def find(self, name: str) -> str | None:
        """Return the stored name of a part, compared without case as OPC asks, or None."""
        if name in self._entries:
            return name
        if self._folded is None:
            self._folded = {stored.casefold(): stored for stored in self._entries}
        return self._folded.get(name.casefold())

    def names(self) -> list[str]:
        """Return the names of all parts, sorted."""
        return sorted(self._entries)

    def read(self, name: str) -> bytes:
        """Inflate one part.

        Args:
            name: the part's name without a leading slash.

        Returns:
            The part's bytes.

        Raises:
            PartFailureError: the part is missing, torn, locked or in a method that is not read.
            FileFailureError: `too_large` when a bound on inflated bytes is met.
        """
        stored = self.find(name)
        if stored is None:
            raise PartFailureError(f"part `{name}` is missing")
        entry = self._entries[stored]
        if entry.flags & _ENCRYPTED_FLAG:
            raise PartFailureError(f"part `{name}` is locked by a password")
        content = self._inflate(entry, name)
        self._inflated_bytes += len(content)
        if self._inflated_bytes > self._limits.inflated_bytes:
            raise FileFailureError(
                DocumentStatus.TOO_LARGE,
                f"the parts inflate to more than {self._limits.inflated_bytes} bytes",
            )
        if zlib.crc32(content) != entry.checksum:
            raise PartFailureError(f"part `{name}` does not match its checksum")
        return content

    def _inflate(self, entry: Entry, name: str) -> bytes:
        raw = self._stored_bytes(entry, name)
        if entry.method == zipfile.ZIP_STORED:
            content = raw
        elif entry.method == zipfile.ZIP_DEFLATED:
            try:
                content = zlib.decompressobj(-15).decompress(raw, self._limits.part_bytes + 1)
            except zlib.error as error:
                raise PartFailureError(f"part `{name}` is torn: {error}") from error
        else:
            raise PartFailureError(
                f"part `{name}` uses compression method {entry.method}, expected 0 or 8"
            )
        if len(content) > self._limits.part_bytes:
            raise FileFailureError(
                DocumentStatus.TOO_LARGE,
                f"part `{name}` inflates to more than {self._limits.part_bytes} bytes",
            )
        return content

    def _stored_bytes(self, entry: Entry, name: str) -> bytes:
        data, start = self._data, entry.offset
        if start + _LOCAL_HEADER.size > len(data) or data[start : start + 4] != b"PK\x03\x04":
            raise PartFailureError(f"part `{name}` has no local header")
        name_size, extra_size = _LOCAL_HEADER.unpack_from(data, start)
        begin = start + _LOCAL_HEADER.size + name_size + extra_size
        return data[begin : begin + entry.stored_size]

    def _refuse_bombs(self, entries: list[Entry]) -> None:
        limits = self._limits
        if len(entries) > limits.part_count:
            raise FileFailureError(
                DocumentStatus.TOO_LARGE,
                f"the package has {len(entries)} parts, more than {limits.part_count}",
            )
        declared = sum(entry.size for entry in entries)
        ratio = declared / max(len(self._data), 1)
        is_dense = declared > limits.ratio_floor_bytes and ratio > limits.compression_ratio
        if declared > limits.declared_bytes or is_dense:
            raise FileFailureError(
                DocumentStatus.TOO_LARGE,
                f"the package declares {declared} bytes inflated, {ratio:.0f} times its size",
            )
