"""How do two versions look side by side on the page? The difference, the pairs, and who fared differently."""

from __future__ import annotations

from autograph.graph.pieces import esc
from autograph.simulation.compare import Compared, Comparison
from autograph.simulation.compare_text import p_text, verdict_text
from autograph.simulation.page_plots import bar
from autograph.simulation.page_tables import count_cell, of_text, table, talk_cell

__all__ = ["comparison_part"]


def comparison_part(c: Comparison, main: str) -> str:
    """Two versions side by side; ``main`` ("A" or "B") is the one whose conversations are on the page."""
    rows = "".join(
        f"<div><dt>success {side}<small>{esc(name)}</small></dt><dd>{bar(rate.interval, kind, rate.text())}"
        f'<span class="figure">{esc(rate.text())}</span><span class="soft">{of_text(rate)}</span></dd></div>'
        for side, name, rate, kind in zip("AB", c.names, c.rates, ("main", "success"), strict=True)
    )
    pairs = c.pairs
    square = table(
        ("", "B succeeds", "B does not"),
        (
            (("A succeeds", None), count_cell(pairs.both), count_cell(pairs.only_a)),
            (("A does not", None), count_cell(pairs.only_b), count_cell(pairs.neither)),
        ),
        f"{c.n:,} pairs of conversations with the same user",
    )
    amounts = [("turns", c.turns, 2), ("model requests", c.calls, 2), *((("cost", c.cost, 4),) if c.cost else ())]
    means = "".join(f"<li>{name} <b>{esc(each.text(digits, sign=True))}</b></li>" for name, each, digits in amounts)
    notes = ["Both runs are of the very same program."] if c.same_program else []
    if any(c.alone):
        notes.append(f"Without a partner, and left out: {c.alone[0]} of A, {c.alone[1]} of B.")
    told = "".join(f'<p class="note">{esc(note)}</p>' for note in notes)
    return (
        f'<p class="verdict">{esc(verdict_text(c))} <b>B − A: {esc(c.success.text(sign=True))}</b>, {esc(p_text(c.p))} '
        f'<small class="soft">({esc(c.method)})</small></p>{told}<dl class="rates">{rows}</dl>{square}'
        f'<p>B − A for each user:</p><ul class="means">{means}</ul>{_differing(c, main)}'
    )


def _differing(c: Comparison, main: str) -> str:
    if not c.differing:
        return '<p class="note">It ended the same with every user.</p>'
    rows = (
        (
            talk_cell(each.index_a if main == "A" else each.index_b),
            count_cell(each.seed),
            (esc(each.persona or ""), None),
            (_ended(each, 0), None),
            (_ended(each, 1), None),
            count_cell(each.turns[1] - each.turns[0]),
        )
        for each in c.differing
    )
    heads = ("conversation", "seed", "persona", "A", "B", "turns, B − A")
    return table(heads, rows, f"{len(c.differing):,} users with whom it ended otherwise")


def _ended(each: Compared, side: int) -> str:
    sign = {True: "✓ succeeded", False: "✗ did not succeed", None: "? not told"}[each.successes[side]]
    node = each.last_nodes[side]
    return f"{sign}, {each.outcomes[side]}" + (f" at {esc(node)}" if node else "")
