"""What does the file say? Tables of text with cell addresses, from CSV, workbooks, YAML, JSON, links and Python.

``read_rows`` reads any source, ``read_bytes`` the content of one; both return ``Rows`` of ``Row``. Nothing is
guessed: every value is text. ``repair_code`` makes plain Python of code that autocorrection has touched.
"""

from autograph.tables.read import read_bytes, read_rows
from autograph.tables.rows import Origin, Row, Rows
from autograph.tables.typography import repair_code

__all__ = ["Origin", "Row", "Rows", "read_bytes", "read_rows", "repair_code"]
