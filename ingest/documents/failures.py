"""How a reader says that a file, or one part of a file, cannot be read."""

from __future__ import annotations

from ingest.documents.document import DocumentStatus


class FileFailureError(Exception):
    """The whole file cannot be read; it ends in `status`.

    Args:
        status: a status that is not readable.
        message: what was found, for the document's warnings.
    """

    def __init__(self, status: DocumentStatus, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class PartFailureError(Exception):
    """One part of a package cannot be read; the rest of the file can."""
