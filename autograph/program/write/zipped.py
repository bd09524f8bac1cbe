"""How does a workbook become the same bytes whenever it is written?"""

from __future__ import annotations

import io
import re
import zipfile
from datetime import datetime

__all__ = ["repacked"]

_PROPERTIES = "docProps/core.xml"
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*(</dcterms:modified>)")


def repacked(data: bytes, when: datetime) -> bytes:
    """The workbook with one date everywhere: of its parts, and as the time of its last change."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(stream, "w") as target:
        for info in source.infolist():
            content = source.read(info)
            if info.filename == _PROPERTIES:
                content = _MODIFIED.sub(rb"\g<1>" + f"{when:%Y-%m-%dT%H:%M:%SZ}".encode() + rb"\g<2>", content)
            part = zipfile.ZipInfo(info.filename, when.timetuple()[:6])
            part.compress_type = zipfile.ZIP_DEFLATED
            part.create_system = 3  # as on Unix, so that Windows writes the same
            part.external_attr = 0o600 << 16
            target.writestr(part, content)
    return stream.getvalue()
