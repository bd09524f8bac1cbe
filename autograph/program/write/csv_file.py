"""How is a program written as a text table? UTF-8, commas, line feeds; texts stay exactly as they are.

A text that begins with ``=``, ``+``, ``-`` or ``@`` gets no apostrophe: it would be another program.
"""

from __future__ import annotations

import csv
import io

from autograph.program.write.layout import table_columns, table_lines
from autograph.tables import Rows

__all__ = ["csv_text"]


def csv_text(rows: Rows) -> str:
    """The table with its header; blank rows of a sheet stay."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([column.header for column in table_columns(rows)])
    last = 1
    for line in table_lines(rows):
        stream.write("\n" * (line.number - last - 1))
        writer.writerow(line.texts)
        last = line.number
    return stream.getvalue()
