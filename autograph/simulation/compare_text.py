"""How does a comparison read in a terminal? The difference, the table of pairs, and who fared differently."""

from __future__ import annotations

import math
from collections.abc import Iterator

from autograph.evaluation.intervals import Interval
from autograph.simulation.compare import Compared, Comparison
from autograph.simulation.marks import PLAIN, Marks, clipped

__all__ = ["p_text", "render_comparison", "verdict_text"]

_ROWS = 10


def render_comparison(comparison: Comparison, *, width: int = 80, style: Marks = PLAIN) -> str:
    """The comparison as lines, each ending with a line end."""
    blocks = [list(block(comparison, width, style)) for block in (_head, _success, _table, _amounts, _differing)]
    return "\n".join("\n".join(block) + "\n" for block in blocks if block)


def _head(c: Comparison, width: int, style: Marks) -> Iterator[str]:
    a, b = (clipped(name, (width - 30) // 2) for name in c.names)
    yield f"{style.bold(f'A: {a}')} · {style.bold(f'B: {b}')} · {c.n:,} pair{'' if c.n == 1 else 's'}"
    if c.same_program:
        yield style.warning("Both runs are of the very same program.")
    if any(c.alone):
        yield style.warning(f"Without a partner, and left out: {c.alone[0]} of A, {c.alone[1]} of B.")


def _success(c: Comparison, width: int, style: Marks) -> Iterator[str]:
    for name, rate in zip("AB", c.rates, strict=True):
        yield f"  success {name}    {rate.text():<22}{rate.count} of {rate.n}"
    yield f"  {style.bold('B − A')}        {c.success.text(sign=True):<22}{p_text(c.p)}"
    good = c.success.above(0)
    mark = style.chosen if good else style.error if c.success.below(0) else style.dim
    yield f"  {mark(verdict_text(c))}"


def verdict_text(c: Comparison) -> str:
    """Which version is better, in a sentence."""
    if c.success.above(0):
        return "B succeeds more often."
    if c.success.below(0):
        return "B succeeds less often."
    if math.isnan(c.success.value):
        return "Nothing was told of success."
    return "No difference is shown: zero lies within the interval."


def p_text(p: float) -> str:
    """``p = 0.013``, or ``p < 0.001``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _table(c: Comparison, width: int, style: Marks) -> Iterator[str]:
    pairs = c.pairs
    yield style.dim("                  B succeeds  B does not")
    yield f"  A succeeds      {pairs.both:>10}  {pairs.only_a:>10}"
    yield f"  A does not      {pairs.only_b:>10}  {pairs.neither:>10}"
    yield "  " + style.dim(clipped(c.method, width - 2))


def _amounts(c: Comparison, width: int, style: Marks) -> Iterator[str]:
    rows: list[tuple[str, Interval, int]] = [("turns", c.turns, 2), ("model requests", c.calls, 2)]
    if c.cost:
        rows.append(("cost", c.cost, 4))
    yield style.bold("B − A for each user")
    for name, interval, digits in rows:
        yield f"  {name:<16}{interval.text(digits, sign=True)}"


def _differing(c: Comparison, width: int, style: Marks) -> Iterator[str]:
    if not c.differing:
        return
    yield style.bold("Users who fared differently") + style.dim(f"  ({len(c.differing):,})")
    for each in c.differing[:_ROWS]:
        who = f" {clipped(each.persona, 20)}" if each.persona else ""
        again = f", round {each.round + 1}" if c.rounds > 1 else ""
        line = f"  case {each.case}{again} (seed {each.seed}){who}: A {_end(each, 0)}; B {_end(each, 1)}"
        yield line if len(line) <= width else line[: width - 1] + "…"
    if len(c.differing) > _ROWS:
        yield style.dim(f"  … and {len(c.differing) - _ROWS} more")


def _end(each: Compared, side: int) -> str:
    sign = {True: "✓", False: "✗", None: "?"}[each.successes[side]]
    node = each.last_nodes[side]
    return f"{sign} {each.outcomes[side]}" + (f" at {clipped(node, 24)}" if node else "")
