"""How large may things become while a statement runs?

Together with the settings (``budget.Limits``) these keep every statement below about half a gigabyte and a second.
A unit of fuel stands for at most about 2 KB of new memory or a quarter of a microsecond of work.
"""

from __future__ import annotations

SOURCE_CHARACTERS = 8_000
"""Longest source text of one cell's code."""
TREE_NODES = 1_500
"""Most syntax nodes in one statement."""
TREE_DEPTH = 60
"""Deepest nesting of one statement's syntax."""
INT_BITS = 14_000
"""Largest whole number; below the 4,300 digits that Python converts to text."""
PAD = 10_000
"""Largest width or precision in a format, and largest padded text."""
DATA_NODES = 100_000
"""Most items, counted with repetition, of data that is compared, hashed or turned into text."""
LITERAL_CHARACTERS = 30_000
"""Longest text that is read as a Python literal."""
NUMBER_CHARACTERS = 5_000
"""Longest text that is read as a number."""
LARGE_KEYS = 1_000
"""Most numbers above 2**60 (and complex numbers) used as keys in one statement; their hashes can be made to collide."""
TURN_LARGE_KEYS = 10_000
"""The same for all statements of a turn."""
HANDED_NODES = 1_000_000
"""As DATA_NODES, for data that is handed to the host: arguments of its functions, and results."""
MOST_DEPTH = 1_000
"""Largest setting for the nesting of such data; Python's own hash of a tuple would overflow the stack."""
ITERATOR_COST = 100
"""Units for each iterator that runs through another: very long chains of them would overflow the stack."""
CALL_DEPTH = 250
"""Deepest recursion of lambdas."""
SMALL_BYTES = 1_024
"""What a statement without loops may make without its being counted: small lists, numbers …"""
SHIFT = 1 << 60
"""Whole numbers below this size take the fast paths."""
TABLE_CELLS = 1_000_000
"""Most cells of a table that a program makes by picking rows or columns, some of them more than once."""
TABLE_COST = 50
"""Units for each operation on a table, however small it is."""
TABLE_TEXT = 4_000_000
"""Most characters in a column of text that a program makes."""
PATTERN_CHARACTERS = 500
"""Longest regular expression."""
PATTERN_WEIGHT = 4_000
"""Largest regular expression when its counted repetitions are written out, which is what its compiler does."""
PATTERN_SECONDS = 0.2
"""How long a regular expression may search."""
