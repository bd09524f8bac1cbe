"""How is a program written to a file? CSV, XLSX, YAML and JSON say the same; nothing is lost on the way.

``read_for_writing`` reads a source with all that is to be kept, ``write_rows`` writes a file, ``rendered`` gives its
bytes. Rows are written, not programs: a program with mistakes can be converted, too.
"""

from autograph.program.write.convert import (
    SUFFIXES,
    files_there,
    form_of,
    read_for_writing,
    rendered,
    workbook_of,
    write_rows,
)

__all__ = ["SUFFIXES", "files_there", "form_of", "read_for_writing", "rendered", "workbook_of", "write_rows"]
