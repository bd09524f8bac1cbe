"""Is this ZIP archive a workbook that can be read, and is it of a sane size?"""

from __future__ import annotations

import io

from autograph.errors import Location
from autograph.tables.rows import refused

__all__ = ["MAX_BYTES", "OLE_MAGIC", "ZIP_MAGIC", "check_archive", "check_size", "refuse_ole"]

MAX_BYTES = 200_000_000
ZIP_MAGIC = b"PK\x03\x04"
OLE_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
_SAVE_AS = "Save it as .xlsx or .csv."


def check_size(size: int, file: str, what: str = "the file") -> None:
    """Raises ``ProgramError`` for more bytes than a program can sensibly have."""
    if size > MAX_BYTES:
        message = f"{what} has {size:,} bytes; the limit is {MAX_BYTES:,}."
        raise refused("too-large", message, Location(file), "Keep the program in a file of its own.")


def refuse_ole(data: bytes, file: str) -> None:
    """Raises ``ProgramError`` for the old binary format, which also wraps workbooks with a password."""
    if "EncryptedPackage".encode("utf-16-le") in data or file.lower().endswith((".xlsx", ".xlsm")):
        message, hint = "the workbook is protected with a password.", "Remove the password, then save it as .xlsx."
    else:
        message, hint = "the file is in the old .xls format, which is not read.", _SAVE_AS
    raise refused("unknown-format", message, Location(file), hint)


def check_archive(data: bytes, file: str) -> None:
    """Raises ``ProgramError`` unless the archive is an Excel workbook of a sane unpacked size."""
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sizes = {info.filename: info.file_size for info in archive.infolist()}
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        message = "the file begins like a workbook but is damaged or incomplete."
        raise refused("unreadable-file", message, Location(file), "Download or save it again.") from error
    other = _other_format(sizes)
    if other:
        raise refused("unknown-format", f"the file is {other}, which is not read.", Location(file), _SAVE_AS)
    check_size(sum(sizes.values()), file, "the unpacked workbook")


def _other_format(names: dict[str, int]) -> str | None:
    if "xl/workbook.bin" in names:
        return "a binary workbook (.xlsb)"
    if any(name.startswith("xl/") for name in names):
        return None
    if any(name.endswith(".iwa") or name == "Index.zip" for name in names):
        return "an Apple Numbers document"
    if "content.xml" in names:
        return "an OpenDocument file (.ods)"
    return "a text document (.docx)" if "word/document.xml" in names else "a ZIP archive but no workbook"
