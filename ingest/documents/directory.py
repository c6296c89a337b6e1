"""The central directory of a ZIP package.

Office writers all leave the same plain directory, which is read here in one sweep; a package with
anything out of the ordinary goes to the standard library.
"""

from __future__ import annotations

import io
import struct
import zipfile
from typing import NamedTuple

from ingest.documents.document import DocumentStatus
from ingest.documents.failures import FileFailureError

# APPNOTE 4.3.16 and 4.3.12: end of central directory, and one central file header.
_END = struct.Struct("<4s4H2LH")
_HEADER = struct.Struct("<4s6H3L5H2L")
_END_MAGIC = b"PK\x05\x06"
_HEADER_MAGIC = b"PK\x01\x02"
_UTF8_FLAG = 0x800
_IN_ZIP64 = 0xFFFFFFFF


class Entry(NamedTuple):
    """One part as the directory describes it; nothing of it is to be trusted.

    Args:
        name: the part's name without a leading slash.
        flags: general purpose bits.
        method: compression method.
        checksum: CRC-32 of the inflated bytes.
        stored_size: bytes in the file.
        size: bytes inflated.
        offset: where its local header begins.
    """

    name: str
    flags: int
    method: int
    checksum: int
    stored_size: int
    size: int
    offset: int


def read_directory(data: bytes) -> list[Entry]:
    """List the parts of a ZIP package.

    Args:
        data: the bytes of the file.

    Returns:
        The entries in the order of the directory.

    Raises:
        FileFailureError: `damaged` when the directory cannot be read.
    """
    entries = _read_plain(data)
    return _read_any(data) if entries is None else entries


def _read_plain(data: bytes) -> list[Entry] | None:
    """Read the directory of a package without comment, prefix or ZIP64; None for any other."""
    begin = len(data) - _END.size
    if begin < 0 or data[begin : begin + 4] != _END_MAGIC:
        return None
    _, disk, start_disk, here, count, size, offset, _ = _END.unpack_from(data, begin)
    if disk or start_disk or here != count or offset + size != begin:
        return None
    entries = []
    position = offset
    for _ in range(count):
        if position + _HEADER.size > begin:
            return None
        header = _HEADER.unpack_from(data, position)
        name_end = position + _HEADER.size + header[10]
        name = data[position + _HEADER.size : name_end]
        if header[0] != _HEADER_MAGIC or _IN_ZIP64 in (header[8], header[9], header[16]):
            return None
        if not name.isascii() and not header[3] & _UTF8_FLAG:
            return None
        try:
            text = _normalise(name.decode("utf-8"))
        except UnicodeDecodeError:
            return None
        entries.append(
            Entry(text, header[3], header[4], header[7], header[8], header[9], header[16])
        )
        position = name_end + header[11] + header[12]
    return entries if position == begin else None


def _read_any(data: bytes) -> list[Entry]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, NotImplementedError) as error:
        raise FileFailureError(
            DocumentStatus.DAMAGED, f"the ZIP directory cannot be read: {error}"
        ) from error
    return [
        Entry(
            _normalise(info.filename),
            info.flag_bits,
            info.compress_type,
            info.CRC,
            info.compress_size,
            info.file_size,
            info.header_offset,
        )
        for info in infos
    ]


def _normalise(name: str) -> str:
    return name.replace("\\", "/").lstrip("/")
