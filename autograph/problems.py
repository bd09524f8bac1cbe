"""The catalogue of problems: number, word and severity of everything that can be wrong with a program.

The numbers are stable: 0xx files and cells, 1xx program structure, 2xx text and code in cells.
A new kind gets a new number; a number is never used again for something else.
"""

from __future__ import annotations

from autograph.errors import Location, Problem

__all__ = ["KINDS", "problem"]

KINDS: dict[str, tuple[str, str, str]] = {
    # files and cells
    "unreadable-file": ("AG001", "error", "The file cannot be read."),
    "unknown-format": ("AG002", "error", "The file is in a format that is not read."),
    "not-a-table": ("AG003", "error", "The content is no table, for instance a sign-in page."),
    "empty-table": ("AG004", "error", "The file has no content."),
    "no-nodes": ("AG005", "error", "There is a header but no node."),
    "no-header": ("AG006", "error", "No row with the headers `name` and `action` was found."),
    "unknown-column": ("AG007", "error", "A header names no field."),
    "duplicate-column": ("AG008", "error", "Two columns have the same header."),
    "extra-cells": ("AG009", "error", "A row has more cells than there are columns."),
    "control-character": ("AG010", "error", "A cell holds a control character."),
    "date-cell": ("AG011", "error", "A cell was turned into a date by the spreadsheet."),
    "formula-without-value": ("AG012", "error", "A formula was stored without its value."),
    "spreadsheet-error": ("AG013", "error", "A cell holds a spreadsheet error such as #NAME?."),
    "bad-yaml": ("AG014", "error", "The YAML or JSON text is malformed."),
    "duplicate-key": ("AG015", "error", "A key occurs twice in a YAML or JSON mapping."),
    "sheet-not-shared": ("AG016", "error", "The online sheet is not shared."),
    "bad-encoding": ("AG017", "error", "The bytes are no text in a known encoding."),
    "bad-config": ("AG018", "error", "A configuration entry is unknown or has a bad value."),
    "too-large": ("AG019", "error", "The file is larger than the limit."),
    "bad-cell": ("AG020", "error", "A value given from Python is neither text nor a number."),
    "unclosed-quote": ("AG021", "error", "A quotation mark that opens a cell is never closed."),
    "unknown-sheet": ("AG022", "error", "The workbook has no such sheet."),
    "not-utf8": ("AG050", "warning", "The file is not UTF-8; it was read as Windows-1252."),
    "content-is-xlsx": ("AG051", "warning", "The file is a workbook although its name says otherwise."),
    "cell-without-header": ("AG052", "warning", "A cell stands in a column without a header."),
    "merged-cells": ("AG053", "warning", "Merged cells: only the first cell has a value."),
    "hidden-rows": ("AG054", "warning", "Hidden rows are part of the program."),
    "cell-at-limit": ("AG055", "warning", "A cell is as long as a spreadsheet allows; it may be cut."),
    "text-before-header": ("AG056", "warning", "Rows above the header are not read."),
    # program structure
    "missing-name": ("AG101", "error", "A row has no name."),
    "duplicate-node": ("AG102", "error", "Two nodes have the same name."),
    "unknown-action": ("AG103", "error", "The action does not exist."),
    "unknown-target": ("AG104", "error", "A transition leads to no node."),
    "bad-name": ("AG105", "error", "A node's name is malformed."),
    "reserved-name": ("AG106", "error", "A node has a reserved name."),
    "bad-list": ("AG107", "error", "A list cell is malformed."),
    "choices-mismatch": ("AG108", "error", "The number of choices is not that of the transitions."),
    "missing-question": ("AG109", "error", "Several transitions need a question."),
    "choice-gap": ("AG110", "error", "A choice is missing between two others."),
    "variant-gap": ("AG111", "error", "A variant is missing in a group."),
    "no-variant": ("AG112", "error", "A group has no variant."),
    "bad-number": ("AG113", "error", "A cell should hold a number."),
    "unknown-function": ("AG114", "error", "A call names no function."),
    "bad-arguments": ("AG115", "error", "A call's arguments do not fit the function."),
    "no-call": ("AG116", "error", "A function node calls no function."),
    "misplaced-call": ("AG117", "error", "A graph call stands where none may stand."),
    "transition-to-function": ("AG118", "error", "A transition leads straight to a function."),
    "bad-on-unclear": ("AG119", "error", "on_unclear names neither a node nor a choice."),
    "missing-on-unclear": ("AG120", "error", "min_confidence needs on_unclear."),
    "bad-default": ("AG121", "error", "A parameter's default is not a literal."),
    "bad-formerly": ("AG122", "error", "An earlier name is a node's name."),
    "unknown-node": ("AG123", "warning", "A list of nodes names one that does not exist."),
    "return-outside-function": ("AG124", "error", "A return that no function can reach."),
    "newer-language": ("AG125", "error", "The program asks for a newer version of the language."),
    "bad-probabilities": ("AG126", "error", "Transition probabilities do not fit."),
    "name-taken": ("AG127", "error", "A function has the name of a builtin or a host function."),
    "missing-instruction": ("AG128", "error", "The action needs an instruction."),
    "literal-variant": ("AG129", "error", "A node is named like a group."),
    "missing-action": ("AG130", "error", "A row has no action."),
    "unused-field": ("AG150", "warning", "The action does not use this field."),
    "lone-question": ("AG151", "warning", "A question with a single transition is never asked."),
    # text and code in cells
    "empty-assignment": ("AG201", "error", "Nothing is assigned."),
    "bad-template": ("AG202", "error", "A text cell is malformed."),
    "bad-statement": ("AG203", "error", "A statement is refused or malformed."),
    "curly-quotes": ("AG250", "warning", "Typographic quotes in code were read as plain quotes."),
    "unicode-operator": ("AG251", "warning", "Typographic operators in code were read as plain ones."),
}


def problem(kind: str, message: str, location: Location = Location(), hint: str = "") -> Problem:
    """A ``Problem`` of a known kind; ``message`` is one sentence, ``hint`` the remedy."""
    code, severity, _ = KINDS[kind]
    return Problem(code, kind, severity, message, location, hint)
