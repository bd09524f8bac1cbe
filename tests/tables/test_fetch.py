"""Links: which address is fetched for a Google sheet, and what happens to the answers (no real network)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from autograph.tables import fetch, read_rows
from autograph.tables.fetch import download, is_google, sheet_url
from tables_support import HEADER, kinds, problems_of, workbook

DOC = "https://docs.google.com/spreadsheets/d"


@pytest.mark.parametrize(
    ("link", "address"),
    [
        (f"{DOC}/AB-c_1/edit#gid=7", f"{DOC}/AB-c_1/export?format=csv&gid=7"),
        (f"{DOC}/AB/edit?gid=7#gid=7", f"{DOC}/AB/export?format=csv&gid=7"),
        (f"{DOC}/AB/edit?usp=sharing&gid=3", f"{DOC}/AB/export?format=csv&gid=3"),
        (f"{DOC}/AB/edit?usp=sharing", f"{DOC}/AB/export?format=csv"),
        (f"{DOC}/AB", f"{DOC}/AB/export?format=csv"),
        (f"{DOC}/AB/export?format=csv&gid=4", f"{DOC}/AB/export?format=csv&gid=4"),
        ("https://docs.google.com/spreadsheets/u/0/d/AB/edit#gid=0", f"{DOC}/AB/export?format=csv&gid=0"),
        (f"{DOC}/e/2PACX-x/pubhtml", f"{DOC}/e/2PACX-x/pub?output=csv"),
        (f"{DOC}/e/2PACX-x/pubhtml?gid=5&single=true", f"{DOC}/e/2PACX-x/pub?output=csv&single=true&gid=5"),
        (f"{DOC}/e/2PACX-x/pub?output=csv", f"{DOC}/e/2PACX-x/pub?output=csv"),
        ("https://example.org/a.xlsx#program", "https://example.org/a.xlsx"),
        ("https://example.org/spreadsheets/d/AB/edit", "https://example.org/spreadsheets/d/AB/edit"),
    ],
)
def test_addresses(link: str, address: str) -> None:
    assert sheet_url(link) == address


def test_a_named_tab_needs_the_workbook() -> None:
    assert sheet_url(f"{DOC}/AB/edit#gid=7", "bot") == f"{DOC}/AB/export?format=xlsx"
    assert is_google(f"{DOC}/AB/edit")
    assert not is_google("https://docs.google.com.evil.org/spreadsheets/d/AB")


CSV = b"name,action\na,chat\n"
PAGES: dict[str, tuple[int, str, bytes]] = {
    "/a.csv": (200, "text/csv", CSV),
    "/export": (200, "text/csv", CSV),
    "/program": (200, "application/json", b'{"nodes": [{"name": "j", "action": "chat"}]}'),
    "/p.yaml": (200, "text/plain", b"nodes: [{name: y, action: chat}]"),
    "/login": (200, "text/html", b"<!DOCTYPE html><html>Sign in</html>"),
    "/plain-html": (200, "text/plain", b"  <html>Sign in</html>"),
    "/private": (401, "text/html", b"<html>no</html>"),
    "/broken": (500, "text/plain", b"oops"),
    "/big.csv": (200, "text/csv", CSV + b"," * 5_000),
}


class Pages(BaseHTTPRequestHandler):
    redirects: ClassVar[dict[str, str]] = {"/moved": "/a.csv", "/to-file": "file:///etc/passwd", "/loop": "/loop"}

    def do_GET(self) -> None:
        if self.path in self.redirects:
            self.send_response(302)
            self.send_header("Location", self.redirects[self.path])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        status, kind, body = PAGES.get(self.path, (404, "text/plain", b"none"))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if self.path == "/export":
            self.send_header("Content-Disposition", 'attachment; filename="My bot.csv"')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("no_proxy", "127.0.0.1")
        yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_files(base: str) -> None:
    assert [(row.get("name"), row.row) for row in read_rows(f"{base}/a.csv")] == [("a", 2)]
    assert read_rows(f"{base}/moved")[0].location.file == f"{base}/moved"
    assert read_rows(f"{base}/program")[0].get("name") == "j"
    assert read_rows(f"{base}/p.yaml")[0].get("name") == "y"
    assert download(f"{base}/export").name == "My bot.csv"


def test_a_sheet_of_a_workbook(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = workbook(HEADER, ["a", "chat"], other=[HEADER, ["b", "chat"]])
    monkeypatch.setitem(PAGES, "/w.xlsx", (200, "application/octet-stream", data))
    assert read_rows(f"{base}/w.xlsx")[0].get("name") == "a"
    assert read_rows(f"{base}/w.xlsx#other")[0].get("name") == "b"
    assert read_rows(f"{base}/w.xlsx", sheet="other")[0].get("name") == "b"


@pytest.mark.parametrize("page", ["login", "plain-html", "private", "missing"])
def test_sheets_that_are_not_shared(base: str, page: str) -> None:
    (problem,) = problems_of(download, f"{base}/{page}", google=True)
    assert problem.kind == "sheet-not-shared"
    assert "the sheet is not shared" in problem.message


@pytest.mark.parametrize(
    ("page", "kind"),
    [("login", "not-a-table"), ("private", "unreadable-file"), ("broken", "unreadable-file"),
     ("missing", "unreadable-file"), ("to-file", "unreadable-file"), ("loop", "unreadable-file")],
)  # fmt: skip
def test_other_answers(base: str, page: str, kind: str) -> None:
    assert kinds(problems_of(read_rows, f"{base}/{page}")) == [kind]


def test_bounds(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kinds(problems_of(download, f"{base}/big.csv", limit=1_000)) == ["too-large"]
    monkeypatch.setattr(fetch, "time", SimpleNamespace(monotonic=iter([0.0, 100.0, 200.0]).__next__))
    (problem,) = problems_of(download, f"{base}/a.csv", timeout=5)
    assert "too long" in problem.message


def test_nobody_there() -> None:
    assert kinds(problems_of(read_rows, "http://127.0.0.1:9/a.csv")) == ["unreadable-file"]
    assert kinds(problems_of(read_rows, "http://[bad/a.csv")) == ["unreadable-file"]
