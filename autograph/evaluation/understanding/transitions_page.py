"""How does an evaluation of transitions look as a page? One HTML file with its tables, that needs no other file."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from autograph.evaluation.manifest import Manifest
from autograph.evaluation.understanding.confusion import Outcome, Table, Verdicts
from autograph.evaluation.understanding.result import Evaluation

__all__ = ["transitions_page"]

_CSS = """
:root { color-scheme: light dark; --ink: #1d2733; --dim: #667382; --line: #d5dbe1; --page: #fff;
  --right: 46 125 80; --wrong: 190 60 50 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --dim: #98a4b0; --line: #3a444e; --page: #16191d;
    --right: 80 180 120; --wrong: 225 105 95 } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page);
  margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.15rem; margin-top: 2.5rem } h3 { font-size: 1rem; margin: 2rem 0 0 }
p.dim, caption, dt { color: var(--dim) } p { margin: .2rem 0 .6rem } caption { text-align: left; font-size: .85rem }
.wide { overflow-x: auto } table { border-collapse: collapse; margin: .4rem 0 1rem }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; font-weight: normal;
  vertical-align: top }
td.n { text-align: right; font-variant-numeric: tabular-nums } th b { font-weight: 600 }
td.right { background: rgb(var(--right) / var(--share)) } td.wrong { background: rgb(var(--wrong) / var(--share)) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; font-size: .9rem }
dd { margin: 0; overflow-wrap: anywhere }
"""
_CAPTION = "<caption>Rows: what was meant. Columns: what it was taken for.</caption>"


def transitions_page(evaluation: Evaluation, manifest: Manifest, title: str) -> str:
    """The page: accuracy of each question and model, confusion tables, what went wrong, and the manifest."""
    body = "\n".join(_body(evaluation, manifest, title))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_CSS}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _body(evaluation: Evaluation, manifest: Manifest, title: str) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    yield from _summary(evaluation)
    for found in evaluation.comparisons:
        names = f"{escape(found.other)} against {escape(found.first)}"
        yield f"<p>{names}: {found.difference.text(sign=True)}, p = {found.p:.3g} (McNemar)</p>"
    for verdicts in evaluation.verdicts:
        yield f"<h2>{escape(verdicts.model)}</h2>"
        for table in verdicts.tables:
            yield from _table(table)
            yield from _wrong([o for o in verdicts.wrong if o.subject == table.subject.name])
    if evaluation.not_asked:
        yield "<h2>Not asked</h2><ul>"
        for left in evaluation.not_asked:
            yield f"<li>{escape(left.node)}: “{escape(left.said)}” – {escape(left.reason)}</li>"
        yield "</ul>"
    yield "<h2>Of this run</h2><dl>"
    for name, value in manifest.to_dict().items():
        yield f"<dt>{escape(name)}</dt><dd>{escape(str(value))}</dd>"
    yield "</dl>"


def _summary(evaluation: Evaluation) -> Iterator[str]:
    tables = [{table.subject.name: table for table in verdicts.tables} for verdicts in evaluation.verdicts]
    yield '<div class="wide"><table><tr><th></th>'
    yield "".join(f"<th><b>{escape(verdicts.model)}</b></th>" for verdicts in evaluation.verdicts) + "</tr>"
    for name in dict.fromkeys(name for found in tables for name in found):
        cells = (str(found[name].accuracy) if name in found else "–" for found in tables)
        yield f"<tr><th>{escape(name)}</th>{_cells(cells)}</tr>"
    yield f"<tr><th><b>all sayings</b></th>{_cells(str(verdicts.accuracy) for verdicts in evaluation.verdicts)}</tr>"
    yield f"<tr><th>mean of the questions</th>{_cells(map(_macro, evaluation.verdicts))}</tr></table></div>"


def _cells(texts: Iterator[str] | map[str]) -> str:
    return "".join(f'<td class="n">{text}</td>' for text in texts)


def _macro(verdicts: Verdicts) -> str:
    return "–" if verdicts.macro is None else f"{verdicts.macro:.2f}"


def _table(table: Table) -> Iterator[str]:
    yield f"<h3>{escape(table.subject.name)} · {table.accuracy} · {table.right} of {table.n}</h3>"
    yield f'<p class="dim">{escape(table.subject.question)}</p>'
    yield f'<div class="wide"><table>{_CAPTION}<tr><th></th>'
    yield "".join(f"<th>{escape(column)}</th>" for column in table.columns) + "</tr>"
    for row, counts in zip(table.rows, table.counts, strict=True):
        cells = []
        for column, count in zip(table.columns, counts, strict=True):
            share = 0.75 * count / sum(counts)
            kind = "right" if row == column else "wrong"
            cells.append(f'<td class="n {kind}" style="--share: {share:.2f}">{count or "·"}</td>')
        yield f"<tr><th><b>{escape(row)}</b> {escape(table.label(row))}</th>{''.join(cells)}</tr>"
    yield "</table></div>"


def _wrong(outcomes: list[Outcome]) -> Iterator[str]:
    if not outcomes:
        return
    yield '<div class="wide"><table><tr><th>said</th><th>at</th><th>meant</th><th>taken for</th><th>sure</th></tr>'
    for outcome in outcomes:
        sure = "" if outcome.confidence is None else f"{outcome.confidence:.2f}"
        texts = (f"“{outcome.said}”", outcome.node, outcome.wanted, outcome.got, sure)
        yield f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in texts)}</tr>"
    yield "</table></div>"
