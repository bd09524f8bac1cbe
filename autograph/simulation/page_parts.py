"""What stands on the page of a run? Its sections from the figures, each a piece of HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autograph.graph.pieces import esc
from autograph.simulation.figures import Rate, Summary
from autograph.simulation.page_plots import Curve, Stack, bar, curves, histogram, legend
from autograph.simulation.page_tables import count_cell, mean_cell, node_cell, of_text, rate_cell, table, talk_cell
from autograph.simulation.record import Conversation, Manifest
from autograph.simulation.summary_text import amount_text

__all__ = ["manifest_part", "sections"]

_MEANING = {
    "success": "reached what was to be reached",
    "finished": "came to an end",
    "stuck": "did not get on",
    "failed": "ended with an error",
    "limit": "had as many turns as allowed",
    "flake": "users met repeatedly with whom it did not end the same",
}
_AMOUNTS = {
    "turns": "turns",
    "calls": "model requests",
    "tokens": "tokens",
    "user_calls": "requests of the simulated user",
    "user_tokens": "tokens of the simulated user",
    "cost": "cost",
}
_LONGEST_PATH = 14


def sections(summary: Summary, talks: Sequence[Conversation]) -> Iterator[tuple[str, str, str]]:
    """Anchor, title and HTML of each section that has something to say."""
    yield "figures", "How it went", _figures(summary)
    if talks:
        yield "course", "Turn by turn", _course(summary, talks)
    if summary.personas:
        yield "personas", "Personas", _personas(summary)
    if summary.troubles:
        yield "troubles", "What went wrong", _troubles(summary)
    if summary.nodes:
        yield "nodes", "Nodes", _nodes(summary)
    if summary.paths:
        yield "paths", "Most common paths", _paths(summary)


def _figures(summary: Summary) -> str:
    rates = [*summary.outcomes, *((("flake", summary.flake),) if summary.flake.n else ())]
    rows = "".join(_outcome(name, rate) for name, rate in rates)
    notes = []
    if summary.n < summary.planned:
        notes.append(f"Only {summary.n:,} of {summary.planned:,} conversations were held.")
    if summary.untold:
        notes.append(summary.untold_note)
    if summary.ended_by_user:
        notes.append(f"{summary.ended_by_user:,} were ended by the user.")
    told = "".join(f'<p class="note">{esc(note)}</p>' for note in notes)
    amounts = [each for each in summary.amounts if each[1].total or each[0] == "turns"]
    cells = (
        (
            (esc(_AMOUNTS[name]), None),
            (f'<span class="figure">{esc(amount_text(each.mean))}</span>', each.mean.value),
            *map(count_cell, (each.median.value, each.p90.value, each.most, each.total)),
        )
        for name, each in amounts
        if each.n
    )
    heads = ("", "mean", "median", "90 % at most", "most", "in all")
    return f'<dl class="rates">{rows}</dl>{told}{table(heads, cells, "Each conversation, with 95 % intervals")}'


def _outcome(name: str, rate: Rate) -> str:
    return (
        f"<div><dt>{name}<small>{esc(_MEANING[name])}</small></dt>"
        f"<dd>{bar(rate.interval, name, rate.text())}"
        f'<span class="figure">{esc(rate.text())}</span><span class="soft">{of_text(rate)}</span></dd></div>'
    )


def _course(summary: Summary, talks: Sequence[Conversation]) -> str:
    n = summary.n
    lines = [
        Curve("going", "still going on", [each.going / n for each in summary.progress]),
        Curve("finished", "finished", [each.finished / n for each in summary.progress]),
    ]
    if summary.success.n:
        lines.append(Curve("success", "succeeded", [each.succeeded / n for each in summary.progress]))
    good = [each for each in talks if each.success is True]
    bad = [each for each in talks if each.success is not True]
    lengths = [
        Stack("success", "succeeded", [len(each.turns) for each in good]),
        Stack("other", "did not", [len(each.turns) for each in bad]),
    ]
    plots = [
        ("How many go on, finish and succeed", curves(lines, "turns", label="Shares over the turns"), legend(lines)),
        ("How long they are", histogram(lengths, "turns", whole=True, label="Histogram of lengths"), legend(lengths)),
    ]
    if summary.cost:
        costs = [
            Stack(stack.kind, stack.name, [each.cost or 0.0 for each in group])
            for stack, group in zip(lengths, (good, bad), strict=True)
        ]
        plots.append(("What they cost", histogram(costs, "cost", label="Histogram of costs"), legend(costs)))
    shown = (f"<figure><figcaption>{esc(title)}</figcaption>{plot}{key}</figure>" for title, plot, key in plots if plot)
    return f'<div class="plots">{"".join(shown)}</div>'


def _personas(summary: Summary) -> str:
    costs = any(each.cost for each in summary.personas)
    heads = ("persona", "conversations", "success", "finished", "failed", "turns", *(("cost",) if costs else ()))
    rows = (
        (
            (esc(each.persona or "(none)"), None),
            count_cell(each.n),
            rate_cell(each.success, "success"),
            rate_cell(each.finished, "finished"),
            count_cell(each.failed.count),
            mean_cell(each.turns),
            *((mean_cell(each.cost),) if costs and each.cost else ()),
        )
        for each in summary.personas
    )
    return table(heads, rows, "How the conversations with each persona went")


def _troubles(summary: Summary) -> str:
    rows = (
        (
            (esc(each.outcome), None),
            (f"{esc(each.message)}{f' <small>{esc(each.kind)}</small>' if each.kind else ''}", None),
            node_cell(each.node) if each.node else ("", None),
            count_cell(each.count),
            talk_cell(each.example),
        )
        for each in summary.troubles
    )
    heads = ("outcome", "what was said", "node", "conversations", "example")
    return table(heads, rows, "Conversations that ended badly, by what was said and where")


def _nodes(summary: Summary) -> str:
    rows = (
        (
            node_cell(each.name),
            count_cell(each.entries),
            rate_cell(each.reached, "main"),
            count_cell(each.dropped.count),
            rate_cell(each.dropped, "failed"),
        )
        for each in summary.nodes
    )
    heads = ("node", "entered", "conversations that reached it", "ended there", "of those that reached it")
    shown = table(heads, rows, "Where conversations went, and where they ended without having finished")
    if summary.unvisited:
        names = ", ".join(summary.unvisited)
        shown += f'<p class="note">{_nodes_word(len(summary.unvisited))} never entered: {esc(names)}</p>'
    return shown


def _nodes_word(count: int) -> str:
    return "1 node was" if count == 1 else f"{count:,} nodes were"


def _paths(summary: Summary) -> str:
    rows = (
        (
            (_steps(each.path), None),
            count_cell(each.count),
            (f"{each.share:.0%}", each.share),
            count_cell(each.succeeded),
            talk_cell(each.example),
        )
        for each in summary.paths
    )
    word = "path" if summary.different_paths == 1 else "paths"
    caption = f"{summary.different_paths:,} different {word}; a node several times in a row counts as once"
    return table(("path", "conversations", "share", "succeeded", "example"), rows, caption)


def _steps(path: Sequence[str]) -> str:
    names = list(path)
    if len(names) > _LONGEST_PATH:
        half = _LONGEST_PATH // 2
        names = [*names[:half], f"… {len(names) - 2 * half} more …", *names[-half:]]
    return '<span class="soft"> → </span>'.join(map(esc, names))


def manifest_part(manifest: Manifest) -> str:
    """What the run was, as terms and their values."""
    rows = "".join(f"<dt>{esc(name)}</dt><dd>{esc(_value(value))}</dd>" for name, value in manifest.to_dict().items())
    return f"<dl>{rows}</dl>"


def _value(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_value(each)}" for key, each in value.items()) or "–"
    return "–" if value is None or value == "" else str(value)
