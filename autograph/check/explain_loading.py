"""The explanations of what loading refuses or warns of: files, the structure of the program, text and code in cells.

Each is (why it matters, what it looks like, what to do).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["CELLS", "FILES", "STRUCTURE"]

Texts = Mapping[str, tuple[str, str, str]]

FILES: Texts = MappingProxyType(
    {
        "unreadable-file": (
            "The file is not there, is damaged, or may not be read, so nothing of it was looked at.",
            "autograph check clinik.csv",
            "Correct the name, or save the file again.",
        ),
        "unknown-format": (
            "Programs are tables (.csv .tsv .xlsx) or structured texts (.yaml .json).",
            "autograph check program.docx",
            "Save the sheet as .xlsx or .csv.",
        ),
        "not-a-table": (
            "The content is something else, most often the sign-in page that a server sent instead of the sheet.",
            "a .csv whose content begins with <!DOCTYPE html>",
            "Share the sheet, or download it while you are signed in.",
        ),
        "empty-table": (
            "There is nothing in the file.",
            "a file of 0 bytes, or a workbook without a filled cell",
            "Write a header and one row per node, or begin with autograph new.",
        ),
        "no-nodes": (
            "There is a header, and no row below it, so there is nothing to run.",
            "a sheet that ends with row 1",
            "Write one row per node.",
        ),
        "no-header": (
            "The columns are known by their headers; name and action must be among them.",
            "a sheet that begins with its first node",
            "Write the header above the nodes: name, action, instruction, transitions and so on.",
        ),
        "unknown-column": (
            "A misspelt header would make a whole column disappear without a word.",
            "transitons",
            "Take the spelling that is suggested, or begin the header with # if the column is for people only.",
        ),
        "duplicate-column": (
            "Nobody can tell which of the two columns counts.",
            "name, action, instruction, Instruction",
            "Delete one, or begin its header with #.",
        ),
        "extra-cells": (
            "A row that is longer than the header usually has a comma in a text that does not stand in quotes.",
            "start1,chat_exact,Hello, how are you?,quit",
            'Put the text in quotes: "Hello, how are you?"',
        ),
        "control-character": (
            "Invisible characters come from copied text and break names and code.",
            "a name with U+0000 in it",
            "Type the cell again.",
        ),
        "date-cell": (
            "The spreadsheet took what was typed for a date, and the text is lost.",
            "3-4 became the 4th of March",
            "Format the cell as text and type it again.",
        ),
        "formula-without-value": (
            "The cell holds a formula, and the program that wrote the file did not compute it.",
            '="Hello "&B2',
            "Open and save the file in a spreadsheet, or type the text itself.",
        ),
        "spreadsheet-error": (
            "A text that begins with = was taken for a formula, and the formula failed.",
            "#NAME?",
            "Put an apostrophe before the text, or format the cell as text and type it again.",
        ),
        "bad-yaml": (
            "The text cannot be taken apart, so nothing behind that place was looked at.",
            "instruction: Note: bring cake",
            'Put texts with ": " in quotes, and look at the indentation.',
        ),
        "duplicate-key": (
            "The second value would silently replace the first.",
            "two lines that begin with instruction: in one node",
            "Delete one of them.",
        ),
        "sheet-not-shared": (
            "Google asks for a sign-in before it shows the sheet.",
            "a link to a private sheet",
            "Share the sheet with everybody who has the link, or download it.",
        ),
        "bad-encoding": (
            "The bytes make no text in a known encoding.",
            "a file cut in the middle, or an image named .csv",
            'Save the sheet as "CSV UTF-8".',
        ),
        "bad-config": (
            "A setting with a slip in it would be left out without a word.",
            "defualt_prompt: You are a baker.",
            "Take the spelling that is suggested; docs/language.md lists all settings.",
        ),
        "too-large": (
            "Very large files are refused before they fill the memory.",
            "a .csv of some hundred megabytes",
            "Divide the program, or look what else is in the file.",
        ),
        "bad-cell": (
            "Values from Python must be texts or numbers.",
            'add_node(name="a", action=len)',
            "Give a text.",
        ),
        "unclosed-quote": (
            "All that follows the quotation mark would be one cell.",
            'start1,chat_exact,"Hello,quit',
            "Close the quotation mark; inside a quoted cell, write it twice.",
        ),
        "unknown-sheet": (
            "The workbook has no sheet of that name.",
            "clinic.xlsx#intak",
            "Take one of the names that are listed.",
        ),
        "not-writable": (
            "A format cannot hold what a cell holds.",
            "a text of more than 32,767 characters in a workbook",
            "Write the program in another format, or divide the text.",
        ),
        "not-the-same": (
            "What was written was read again and was not the same program, so the file was not kept.",
            "autograph convert in.yaml out.csv",
            "Write another format.",
        ),
        "not-utf8": (
            "The letters beyond English were read as Windows-1252 has them, which may be wrong.",
            "a .csv saved by an older Excel",
            'Save it as "CSV UTF-8".',
        ),
        "content-is-xlsx": (
            "The file is a workbook, whatever its name says. It was read as one.",
            "program.csv that was renamed from program.xlsx",
            "Name it .xlsx.",
        ),
        "cell-without-header": (
            "A text in a column without a header belongs to no field and is not read.",
            "a remark to the right of the table",
            "Give the column a header that begins with #, or clear the cell.",
        ),
        "merged-cells": (
            "Of merged cells only the first has a text; the others count as empty.",
            "one instruction merged over two rows",
            "Unmerge them and write the text where it belongs.",
        ),
        "hidden-rows": (
            "Rows that are hidden or filtered out are still part of the program.",
            "a filter on the column action",
            "Delete rows that are not meant to count, or show them.",
        ),
        "cell-at-limit": (
            "A spreadsheet cuts cells at 32,767 characters without a word.",
            "an instruction that ends in the middle of a word",
            "Divide the text among several nodes.",
        ),
        "text-before-header": (
            "What stands above the header is not read.",
            "a title in row 1",
            "This is only a remark; move settings to the sheet config.",
        ),
        "stray-quote": (
            "A quotation mark inside a quoted cell must be written twice; otherwise the cell may end early.",
            '"Say "hi" to them"',
            'Write "Say ""hi"" to them".',
        ),
    }
)

STRUCTURE: Texts = MappingProxyType(
    {
        "missing-name": (
            "A node without a name cannot be gone to, and nobody can say which row is meant.",
            "| | chat_exact | Hello! |",
            "Write a name, or clear the whole row.",
        ),
        "duplicate-node": (
            "A transition to that name could mean either row.",
            "two rows named ask",
            "Rename or delete one of them.",
        ),
        "unknown-action": (
            "The action says what a node does; with a slip in it, nothing can be done.",
            "chat_exakt",
            "Take the spelling that is suggested; docs/language.md lists the actions.",
        ),
        "unknown-target": (
            "The conversation would stop with an error when it comes to this node.",
            "transitions: confrim, although the node is named confirm",
            "Correct the name, or add the node.",
        ),
        "bad-name": (
            "The name holds a sign that a list of transitions could not hold, or brackets that make no parameters.",
            "thing)(",
            "Use letters, digits, blanks, - _ and dots; f(a, b=2) for functions.",
        ),
        "reserved-name": (
            "return, quit and resume mean something as transitions.",
            "a node named quit",
            "Choose another name.",
        ),
        "bad-list": (
            "A list with an empty item, or with a bracket or quotation mark that is not closed, has no sure meaning.",
            "tea,,coffee",
            "Fill the item in, or delete the comma; close what is open.",
        ),
        "choices-mismatch": (
            "The first choice belongs to the first transition, and so on; here one has no partner.",
            "transitions: tea, coffee, milk with choices a and b only",
            "Give each transition its choice.",
        ),
        "missing-question": (
            "With several transitions something must choose among them.",
            "transitions: tea, coffee without transition_question",
            "Write the question and the choices, or use a group p.* with conditions.",
        ),
        "choice-gap": (
            "A choice in the middle is missing, so that the others would move to the wrong transitions.",
            "transition_choice_a and transition_choice_c without b",
            "Fill in the missing one.",
        ),
        "variant-gap": (
            "Numbered and lettered variants are taken in order; a gap is most often a slip.",
            "hint.1 and hint.3 without hint.2",
            "Number them without a gap.",
        ),
        "no-variant": (
            "The transition names a group, and no node belongs to it.",
            "transitions: hint.n without a node hint.1",
            "Add the variants, or name a node.",
        ),
        "bad-number": (
            "The field holds a number.",
            "transition_context: two",
            "Write it like 2 or 0.5.",
        ),
        "unknown-function": (
            "The call names no function of the program.",
            "x = proice(2), although the function is price(n)",
            "Correct the name, or add a node with that name and brackets.",
        ),
        "bad-arguments": (
            "A call must give each parameter a value that has no default, and no more.",
            "area(3) for a node area(width, height)",
            "Give the missing argument, or the parameter a default: area(width, height=1).",
        ),
        "no-call": (
            "A node with the action function, local_function or global_function calls a node whose name has brackets.",
            "local_function with x = 1 + 2",
            "Use python_function for plain Python.",
        ),
        "misplaced-call": (
            "A function of the program may talk to the user, so that its call must happen exactly once, "
            "which is not sure in this place.",
            "x = f(1) if a else 0",
            "Call it in a node of its own and use the variable here.",
        ),
        "transition-to-function": (
            "A function gets its parameters from a call; by a transition it would have none.",
            "transitions: price(n)",
            "Go to a node with the action local_function that calls it.",
        ),
        "bad-on-unclear": (
            "on_unclear says what happens when no choice is clear: error, a node, or the letter of a choice.",
            "on_unclear: agian",
            "Correct the name.",
        ),
        "missing-on-unclear": (
            "With min_confidence a choice may count as unclear, and nobody has said what happens then.",
            "min_confidence: 0.7 alone",
            "Write on_unclear: error, a node, or the letter of a choice.",
        ),
        "bad-default": (
            "A parameter's default is a literal, so that it is the same in each call.",
            "ask(topic=subject)",
            'Write a number, a text in quotes, None, or a list of such: ask(topic="tea").',
        ),
        "bad-formerly": (
            "An earlier name of a node is the present name of another, so that a stored conversation could mean "
            "either.",
            "formerly: ask, while a node ask exists",
            "Delete it there, or rename the other node.",
        ),
        "unknown-node": (
            "A list of nodes, or visits('…'), names a node that does not exist: it counts as never visited.",
            "required_revisit: ask_nmae",
            "Correct the name.",
        ),
        "return-outside-function": (
            "return goes back to the node that made the call; this node is entered without any call.",
            "start1 with the transition return",
            "Write quit to end the conversation, or the name of the next node.",
        ),
        "newer-language": (
            "The program uses a version of the language that this autograph does not know.",
            "language: 2",
            "Update autograph.",
        ),
        "bad-probabilities": (
            "How often a simulated user takes each transition: one number for each, 1 in all.",
            "transition_probs: 0.5, 0.6",
            "Change them so that they add up to 1.",
        ),
        "name-taken": (
            "The name belongs to a function of Python or of the host, which calls would then mean.",
            "len(text)",
            "Choose another name.",
        ),
        "missing-instruction": (
            "The action needs an instruction.",
            "python_function with an empty instruction",
            "Write it, or use the action transition.",
        ),
        "literal-variant": (
            "p.n and p.* stand for all variants of p.",
            "a node named hint.n",
            "Name the variants hint.1, hint.2 and so on.",
        ),
        "missing-action": (
            "The action says what a node does.",
            "| start1 | | Hello! |",
            "Write for instance chat_exact.",
        ),
        "not-allowed": (
            "What a program asks for beside plain expressions stands in its setting capabilities. Whoever runs it "
            "decides whether it may have it.",
            "capabilities: search",
            'Read the program; if you trust it, pass allow=["search"] to load, or --allow search.',
        ),
        "unused-field": (
            "The cell is filled in, and this node does not look at it. Most often something else is missing.",
            "boolean_condition on a node that is no variant of a .* group",
            "Clear the cell, or add what is missing.",
        ),
        "lone-question": (
            "With one transition there is nothing to choose, so the question is never asked.",
            "a transition_question and one transition",
            "Delete the question, or add transitions.",
        ),
    }
)

CELLS: Texts = MappingProxyType(
    {
        "empty-assignment": (
            "The instruction names a variable, and nothing follows the =.",
            "summary=",
            "Write what is meant for it, or \\= for a plain sign.",
        ),
        "bad-template": (
            "A ?{ or ${ is opened and not closed.",
            "Hello?{ dear $name!",
            "Close it with }, or write \\?{ if it is meant as text.",
        ),
        "bad-statement": (
            "Programs use a small, safe part of Python; what is outside of it, or malformed, is refused.",
            "open('data.txt')",
            "The message names what is not possible and what to write instead; docs/language.md, section 7, lists it "
            "all.",
        ),
        "curly-quotes": (
            "A word processor made curly quotes in code. They were read as straight ones, which may be wrong inside "
            "a text.",
            "name = “Ada”",
            "Type them again, and switch autocorrection off for the sheet.",
        ),
        "unicode-operator": (
            "A word processor made typographic dashes or signs in code. They were read as plain ones.",
            "total = price – 2",
            "Type them again, and switch autocorrection off for the sheet.",
        ),
    }
)
