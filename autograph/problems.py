"""The catalogue of problems: number, word and severity of everything that can be wrong with a program.

The numbers are stable: 0xx files and cells, 1xx program structure, 2xx text and code in cells, 3xx flow and
reachability, 4xx data flow, 5xx what looks like a mistake, 6xx stored conversations.
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
    "not-writable": ("AG023", "error", "A cell cannot be written in the format."),
    "not-the-same": ("AG024", "error", "A written file does not read back as what was written; it is not kept."),
    "not-utf8": ("AG050", "warning", "The file is not UTF-8; it was read as Windows-1252."),
    "content-is-xlsx": ("AG051", "warning", "The file is a workbook although its name says otherwise."),
    "cell-without-header": ("AG052", "warning", "A cell stands in a column without a header."),
    "merged-cells": ("AG053", "warning", "Merged cells: only the first cell has a value."),
    "hidden-rows": ("AG054", "warning", "Hidden rows are part of the program."),
    "cell-at-limit": ("AG055", "warning", "A cell is as long as a spreadsheet allows; it may be cut."),
    "text-before-header": ("AG056", "warning", "Rows above the header are not read."),
    "stray-quote": ("AG057", "warning", "A quotation mark inside a quoted cell is not written twice."),
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
    "not-allowed": ("AG131", "error", "The program asks for something that it is not allowed."),
    "unused-field": ("AG150", "warning", "The action does not use this field."),
    "lone-question": ("AG151", "warning", "A question with a single transition is never asked."),
    # text and code in cells
    "empty-assignment": ("AG201", "error", "Nothing is assigned."),
    "bad-template": ("AG202", "error", "A text cell is malformed."),
    "bad-statement": ("AG203", "error", "A statement is refused or malformed."),
    "curly-quotes": ("AG250", "warning", "Typographic quotes in code were read as plain quotes."),
    "unicode-operator": ("AG251", "warning", "Typographic operators in code were read as plain ones."),
    # flow and reachability
    "unreachable-node": ("AG301", "warning", "No conversation can come to a node."),
    "trap": ("AG302", "warning", "From a node neither the user, nor a return, nor the end can be reached."),
    "endless-loop": ("AG303", "warning", "A loop has no way out and never pauses."),
    "unchanging-loop": ("AG304", "warning", "Nothing in a loop changes what its way out depends on."),
    "function-not-called": ("AG305", "warning", "A function is never called."),
    "never-returns": ("AG306", "warning", "A function has a path that never returns."),
    "endless-recursion": ("AG307", "warning", "A function calls itself on every path."),
    "resume-without-interruption": ("AG308", "warning", "A resume that no interjection leads to."),
    "return-perhaps-outside": ("AG309", "warning", "A return that is also reached outside of functions."),
    "duplicate-choice": ("AG310", "warning", "Two choices say the same."),
    "overlapping-choices": ("AG311", "warning", "Two choices can both be true."),
    "swapped-choices": ("AG312", "warning", "A choice is worded like another transition."),
    "else-not-last": ("AG313", "warning", "A variant without a condition stands before others."),
    "hidden-variant": ("AG314", "warning", "A condition holds only where an earlier one does."),
    "same-interjection": ("AG315", "warning", "Two interjections have the same condition."),
    "overlapping-interjections": ("AG316", "warning", "The conditions of two interjections can both be true."),
    "interjection-never-asked": ("AG317", "warning", "No node that speaks can be interrupted."),
    # data flow
    "unset-variable": ("AG401", "warning", "A variable is read that no path sets."),
    "misspelt-variable": ("AG402", "warning", "A variable is read that is probably misspelt."),
    "perhaps-unset-variable": ("AG403", "warning", "A variable is read that a path does not set."),
    "unread-variable": ("AG404", "warning", "A variable is set but never read."),
    "not-known-in-function": ("AG405", "warning", "A local function reads a variable of its caller."),
    "missing-prompt": ("AG406", "warning", "The model is asked without a prompt."),
    # style, and what looks like a mistake
    "accidental-assignment": ("AG501", "warning", "A text assigns to a variable, perhaps by mistake."),
    "accidental-dollar": ("AG502", "warning", "A dollar sign makes a variable, perhaps by mistake."),
    "braces-in-text": ("AG503", "warning", "A variable in braces is not filled in."),
    "idle-optional-part": ("AG504", "warning", "An optional part depends on nothing."),
    "unknown-category": ("AG505", "warning", "No node has a category of a conv_scope."),
    "lost-result": ("AG506", "warning", "The value of a statement is used by nobody."),
    "never-equal": ("AG507", "warning", "A comparison never holds."),
    "constant-condition": ("AG508", "warning", "A condition does not depend on anything."),
    "date-like-text": ("AG509", "warning", "A spreadsheet made a date of a text."),
    "error-text": ("AG510", "warning", "A cell holds a spreadsheet's error as text."),
    "spreadsheet-boolean": ("AG511", "warning", "TRUE or FALSE in code, which are no values there."),
    "broken-letters": ("AG512", "warning", "Letters were broken by a wrong encoding."),
    # stored conversations
    "lost-node": ("AG601", "error", "A stored conversation stands at a node that is gone."),
    "lost-call": ("AG602", "error", "A stored conversation is in a call that is no longer made."),
    "lost-variable": ("AG603", "error", "A stored conversation lacks a variable that is read further on."),
    "lost-visit": ("AG604", "warning", "A stored conversation's visits no longer count."),
    "bad-conversation": ("AG605", "error", "A file holds no stored conversation."),
}


def problem(kind: str, message: str, location: Location = Location(), hint: str = "") -> Problem:
    """A ``Problem`` of a known kind; ``message`` is one sentence, ``hint`` the remedy."""
    code, severity, _ = KINDS[kind]
    return Problem(code, kind, severity, message, location, hint)
