"""Zip archives whose bytes depend on their content only."""

import io
import re
import zipfile

FIXED_STAMP = "2025-01-01T00:00:00Z"
_ZIP_DATE = (2025, 1, 1, 0, 0, 0)
_W3C_DATE = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")


def settle(data: bytes) -> bytes:
    """Rewrite an Office file so that it carries no trace of the hour at which it was made.

    Member order is kept (OPC readers expect the content types first); dates of members, dates in
    the core properties, and the same inside embedded workbooks become one fixed date.

    Args:
        data: A PPTX or XLSX file.

    Returns:
        The same parts in an archive that is identical on every run.
    """
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as origin,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target,
    ):
        for name in origin.namelist():
            part = origin.read(name)
            if name.endswith(".xlsx"):
                part = settle(part)
            elif name == "docProps/core.xml":
                part = _W3C_DATE.sub(rb"\g<1>" + FIXED_STAMP.encode(), part)
            member = zipfile.ZipInfo(name, _ZIP_DATE)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3  # otherwise the archive would name the system that wrote it
            target.writestr(member, part)
    return out.getvalue()
