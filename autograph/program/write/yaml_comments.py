"""What do the comments of a YAML file say, and at which node do they stand? They become a column ``#comment``."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from autograph.tables import Row, Rows
from autograph.tables.cells import clean
from autograph.tables.rows import ConfigRemark

__all__ = ["COMMENT", "with_yaml_comments"]

COMMENT = "#comment"
_FOR_EDITORS = "yaml-language-server:"


@dataclass(frozen=True, slots=True)
class _Comment:
    line: int
    indent: int
    text: str


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A node (``row``) or a setting (``setting``, its position) that a comment may belong to."""

    line: int
    indent: int
    row: int = -1
    setting: int = -1
    texts: list[str] = field(default_factory=list)
    """The comments that belong to it."""
    above: list[str] = field(default_factory=list)
    """Those that stand above a setting."""


def with_yaml_comments(rows: Rows, text: str) -> Rows:
    """The rows with the comments of the file in a column of their own; comments at settings become remarks.

    A comment belongs to what follows it, unless it is indented deeper or stands on a line with something else.
    """
    comments = list(_comments(text))
    anchors = _anchors(rows, text)
    if not comments or not anchors:
        return rows
    lines = [anchor.line for anchor in anchors]
    for comment in comments:
        index = bisect_right(lines, comment.line)
        following = anchors[index] if index < len(anchors) else None
        if following and (index == 0 or (comment.indent <= following.indent)):
            (following.above if following.setting >= 0 else following.texts).append(comment.text)
        else:
            anchors[index - 1].texts.append(comment.text)
    return _with_remarks(_with_column(rows, {a.row: a.texts for a in anchors if a.row >= 0 and a.texts}), anchors)


def _comments(text: str) -> Iterator[_Comment]:
    """The comments: what stands between the tokens and is no blank."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    end = 0
    for token in yaml.scan(text, Loader=loader):
        start = token.start_mark.index
        if "#" in (gap := text[end:start]):
            line = text.count("\n", 0, end) + 1
            for offset, piece in enumerate(gap.split("\n")):
                before, sign, said = piece.partition("#")
                if sign and not said.strip().startswith(_FOR_EDITORS):
                    on_a_line_with_something = offset == 0 and end > 0 and text[end - 1] != "\n"
                    indent = 10_000 if on_a_line_with_something else len(before)
                    yield _Comment(line + offset, indent, said.removeprefix(" ").rstrip())
        end = max(end, token.end_mark.index)


def _anchors(rows: Rows, text: str) -> list[_Anchor]:
    lines = text.split("\n")

    def indent(line: int) -> int:
        return len(lines[line - 1]) - len(lines[line - 1].lstrip(" "))

    found = [_Anchor(row.line, indent(row.line), row=i) for i, row in enumerate(rows) if row.line is not None]
    for position, key in enumerate(rows.config):
        line = rows.config_location(key).line
        if line is not None:
            found.append(_Anchor(line, indent(line), setting=position))
    return sorted(found, key=lambda anchor: anchor.line)


def _with_column(rows: Rows, texts: dict[int, list[str]]) -> Rows:
    if not texts:
        return rows
    found = []
    for index, row in enumerate(rows):
        said = [*texts.get(index, ()), row.comments.get(COMMENT, "")]
        text = clean("\n".join(part for part in said if part))
        found.append(replace(row, comments={**row.comments, COMMENT: text}) if text else row)
    origin = replace(rows.origin, headers=_headers(rows, found))
    return replace(rows, rows=tuple(replace(row, origin=origin) for row in found), origin=origin)


def _headers(rows: Rows, commented: Iterable[Row]) -> dict[str, str]:
    """The headers with the new one: where the first comment stands, or last in a file that lists its columns."""
    headers = {**rows.headers}
    headers.setdefault(COMMENT, COMMENT)
    if rows.origin.letters:
        return headers
    order = list(headers)
    found: dict[str, None] = {}
    for row in commented:
        found.update(dict.fromkeys(sorted({**row.fields, **row.comments}, key=order.index)))
    return {key: headers[key] for key in {**found, **headers}}


def _with_remarks(rows: Rows, anchors: list[_Anchor]) -> Rows:
    """The rows with what was said above settings, and beside them, among the remarks."""
    said = {a.setting: a for a in anchors if a.setting >= 0 and (a.texts or a.above)}
    if not said:
        return rows
    remarks = list(rows.config_remarks)
    taken = {remark.key for remark in remarks}
    for position, anchor in said.items():
        for place, texts in ((position, anchor.above), (position + 1, anchor.texts)):
            if text := clean("\n".join(texts)):
                key, number = COMMENT, 1
                while key in taken:
                    number += 1
                    key = f"{COMMENT} {number}"
                taken.add(key)
                remarks.append(ConfigRemark(place, key, text))
    return replace(rows, config_remarks=tuple(sorted(remarks, key=lambda remark: remark.position)))
