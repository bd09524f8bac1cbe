"""The explanations of findings about variables, suspicious cells and stored conversations.

Each is (why it matters, what it looks like, what to do).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["STORED", "SUSPICIOUS", "VARIABLES"]

Texts = Mapping[str, tuple[str, str, str]]

VARIABLES: Texts = MappingProxyType(
    {
        "unset-variable": (
            "The turn that comes to this cell ends with an error, since nothing before it sets the variable. The "
            "message shows "
            "a path from the beginning to the cell.",
            "Hello $name, and no node before it that sets name",
            "Set it before; write ?{ … $name … } if it may be missing; list it in the setting variables if the host "
            "sets it "
            "with start(variables=…).",
        ),
        "misspelt-variable": (
            "Nothing sets this variable, and one with nearly the same name is set.",
            "name = _last_user_reply, then Hello $nmae",
            "Take the spelling that is suggested.",
        ),
        "perhaps-unset-variable": (
            "Some paths to this cell set the variable, and the one that is shown does not. It is said once for each "
            "variable, "
            "at the first cell.",
            "yes leads to ask_name, which sets name; no leads straight to bye, which says $name",
            "Set it to a first value at the beginning, or write ?{ … $name … }.",
        ),
        "unread-variable": (
            "The variable is set and nobody looks at it. Perhaps it is read under another name, or its node is left "
            "over.",
            "summary=Write a summary, and no $summary",
            "Use it or leave it out; list it in the setting variables if the host reads it.",
        ),
        "not-known-in-function": (
            "A local function knows only its parameters. A variable of the node that calls it is not there.",
            "price(n): n * rate, called with local_function from a program that sets rate",
            "Pass the value as a parameter, or call it with the action function.",
        ),
        "missing-prompt": (
            'Without a prompt the model is only told "You are an agent.": it knows neither its part nor the subject.',
            "a program that begins with a chat node",
            "Begin with a set_prompt node, or set default_prompt. A local function begins with the default prompt.",
        ),
    }
)

SUSPICIOUS: Texts = MappingProxyType(
    {
        "accidental-assignment": (
            "A text that begins with a word and = assigns to a variable, and only what follows the = is used. Nobody "
            "reads "
            "the variable, so the text was probably meant as it is.",
            "Total = price + tax",
            "Write Total \\= price + tax.",
        ),
        "accidental-dollar": (
            "$ and a word make a variable. After a digit or before a currency it is probably money.",
            "That is 5$each",
            "Write \\$, or put a blank after the sign.",
        ),
        "braces-in-text": (
            "Plain braces are text: the user would read {name}.",
            "Hello {name}!",
            "Write $name.",
        ),
        "idle-optional-part": (
            "An optional part is left out when one of its variables is missing. This one has none, so it always stays.",
            "Hello?{ dear friend}!",
            "Put the variable inside, or leave the marks out.",
        ),
        "unknown-category": (
            "conv_scope keeps only turns of nodes with these categories in state_category, and no node has this one.",
            "conv_scope: intak, while the nodes have intake",
            "Correct the word.",
        ),
        "lost-result": (
            "The statement computes a value and neither keeps nor returns it.",
            "n == 3 where n = 3 was meant",
            "Assign it: n = 3.",
        ),
        "never-equal": (
            "A text in small letters is compared with one that has capitals (or a trimmed one with one that has "
            "blanks), or the user's text with a number: they are never equal.",
            "answer.lower() == 'Yes'",
            "Write answer.lower() == 'yes'.",
        ),
        "constant-condition": (
            "The condition does not depend on any variable, or has a bare text in it, which always counts as true.",
            "answer == 'yes' or 'ok'",
            "Write answer in ('yes', 'ok').",
        ),
        "date-like-text": (
            "A spreadsheet has probably made a date of a text such as 3-4 or 3/4 when the sheet was saved.",
            "the choice 4-Mar",
            "Format the column as text and type it again.",
        ),
        "error-text": (
            "A formula failed when the sheet was saved, and the file holds its error instead of the text.",
            "#NAME?",
            "Format the cell as text and type it again.",
        ),
        "spreadsheet-boolean": (
            "In code the two are written True and False. A spreadsheet turns them into capitals.",
            "boolean_condition: TRUE",
            "Write True, in a cell that is formatted as text.",
        ),
        "broken-letters": (
            "The sheet was saved in one encoding and read in another, so that letters beyond English are broken.",
            "cafÃ©",
            'Type them again, and save the sheet as "CSV UTF-8" or as a workbook.',
        ),
    }
)

STORED: Texts = MappingProxyType(
    {
        "lost-node": (
            "The conversation stands at a node, or waits in a call of one, that the new program does not have.",
            "the node ask was renamed question",
            "Write formerly: ask at the node question.",
        ),
        "lost-call": (
            "The conversation is inside a function, and the node that called it no longer makes that call.",
            "x = ask() became a python_function",
            "Keep the calling node until such conversations have ended.",
        ),
        "lost-variable": (
            "The new program reads a variable further on that this conversation does not have, because the node that "
            "sets it "
            "was already passed.",
            "the new start1 sets tone, and reply says $tone",
            "Write ?{ … $tone … }, or set it in a node that the conversation still comes to.",
        ),
        "lost-visit": (
            "The conversation has visited a node whose name the new program no longer has, and visits count: for .n "
            "groups, "
            "for visits('…') and for lists of nodes.",
            "hint.1 was renamed tip.1, so that the first hint is given again",
            "Write formerly: hint.1 at the node tip.1.",
        ),
        "bad-conversation": (
            "The file is no conversation that /save or to_json has written.",
            "notes.json among the conversations",
            "Give a folder that holds only stored conversations.",
        ),
    }
)
