"""How is a table read from the web? Google Sheets links are turned into downloads, which are bounded in time and size.

Nothing here runs unless the user names a URL. Google caches what is published to the web for some minutes.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from autograph.errors import Location
from autograph.tables.archive import MAX_BYTES
from autograph.tables.decode import looks_like_html
from autograph.tables.rows import refused

if TYPE_CHECKING:
    from urllib.request import OpenerDirector

__all__ = ["Download", "download", "is_google", "is_url", "sheet_url"]

TIMEOUT = 30.0
_CHUNK = 1 << 16
_GOOGLE_HOST = "docs.google.com"
_EDIT = re.compile(r"/spreadsheets/(?:u/\d+/)?d/(?!e/)([\w-]+)")
_PUBLISHED = re.compile(r"/spreadsheets/(?:u/\d+/)?d/e/([\w-]+)")
_SUFFIXES = {
    "application/json": ".json",
    "application/yaml": ".yaml",
    "application/x-yaml": ".yaml",
    "text/yaml": ".yaml",
    "text/x-yaml": ".yaml",
}


@dataclass(frozen=True, slots=True)
class Download:
    """The content behind a URL, and the name it has there; the name's suffix tells YAML and JSON from CSV."""

    data: bytes
    name: str


def is_url(source: str) -> bool:
    """Whether a source is a web address."""
    return source.lower().startswith(("http://", "https://"))


def is_google(url: str) -> bool:
    """Whether a URL leads to a Google sheet."""
    parts = urlsplit(url)
    return parts.hostname == _GOOGLE_HOST and parts.path.startswith("/spreadsheets/")


def sheet_url(url: str, sheet: str | None = None) -> str:
    """The address from which a URL's table can be downloaded; other URLs than Google's stay as they are.

    The tab is the one shown in the link (``gid``). With ``sheet``, the name of a tab, the whole workbook is fetched.
    """
    parts = urlsplit(url)
    if not is_google(url):
        return parts._replace(fragment="").geturl()
    query = parse_qs(parts.query)
    gid = next(iter(parse_qs(parts.fragment).get("gid", []) + query.get("gid", [])), None)
    published = _PUBLISHED.match(parts.path)
    edit = _EDIT.match(parts.path)
    if not published and not edit:
        return parts._replace(fragment="").geturl()
    form = "xlsx" if sheet else "csv"
    found = {"output": form, "single": "true"} if published and gid else {"output" if published else "format": form}
    if gid and not sheet:
        found["gid"] = gid
    path = f"/spreadsheets/d/e/{published[1]}/pub" if published else f"/spreadsheets/d/{edit[1] if edit else ''}/export"
    return f"https://{_GOOGLE_HOST}{path}?{urlencode(found)}"


def download(
    url: str,
    *,
    google: bool | None = None,
    opener: OpenerDirector | None = None,
    timeout: float = TIMEOUT,
    limit: int = MAX_BYTES,
) -> Download:
    """The content behind a URL, after redirects.

    ``google``: how to explain a sign-in page (default: by the URL). Raises ``ProgramError``:
    ``sheet-not-shared``, ``not-a-table`` (a web page), ``too-large``, ``unreadable-file``.
    """
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request

    google = is_google(url) if google is None else google
    request = Request(url, headers={"User-Agent": "autograph", "Accept": "*/*"})
    try:
        with (opener or _opener()).open(request, timeout=timeout) as response:
            data = _read(response, url, timeout, limit)
            name, kind = _name(response), response.headers.get_content_type()
    except HTTPError as error:
        error.close()
        if google and error.code in (401, 403, 404, 410):
            raise _not_shared(url) from error
        message = f"the server answered {error.code} {error.reason}."
        raise refused("unreadable-file", message, Location(url), "Open the link in a browser to see why.") from error
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        message = f"the address cannot be reached: {reason}."
        raise refused("unreadable-file", message, Location(url), "Check the link and the connection.") from error
    if kind == "text/html" or looks_like_html(data[:4000].decode("utf-8", "replace")):
        if google:
            raise _not_shared(url)
        message = "the answer is an HTML page, not a table; the link may need a sign-in, or be that of a page to share."
        raise refused("not-a-table", message, Location(url), "Use the link of the file itself.")
    return Download(data, name if "." in name else name + _SUFFIXES.get(kind, ".csv"))


def _opener() -> OpenerDirector:
    from urllib.error import URLError
    from urllib.request import HTTPRedirectHandler, build_opener

    class OnlyWeb(HTTPRedirectHandler):
        """Follows redirects to http and https only (the standard handler would follow them to ftp as well)."""

        def redirect_request(self, req: Any, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str) -> Any:
            if not is_url(newurl):
                raise URLError(f"it redirects to {newurl}")
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    return build_opener(OnlyWeb())


def _read(response: Any, url: str, timeout: float, limit: int) -> bytes:
    """All bytes, but no more than the limit, and no longer than twice the timeout: a server may drip."""
    deadline = time.monotonic() + 2 * timeout
    chunks: list[bytes] = []
    size = 0
    while chunk := response.read1(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > limit:
            message = f"the file is larger than the limit of {limit:,} bytes."
            raise refused("too-large", message, Location(url), "Keep the program in a file of its own.")
        if time.monotonic() > deadline:
            raise TimeoutError("the download takes too long")
    return b"".join(chunks)


def _name(response: Any) -> str:
    given = response.headers.get_filename()
    return str(given) if given else unquote(urlsplit(response.geturl()).path.rpartition("/")[2])


def _not_shared(url: str) -> Exception:
    message = "the sheet is not shared: Google answers with a sign-in page."
    hint = 'In Google Sheets choose Share, "Anyone with the link"; publishing to the web does it as well.'
    return refused("sheet-not-shared", message, Location(url), hint)
