"""The explanations of what the checks of the flow find. Each is (why it matters, what it looks like, what to do)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["FLOW"]

FLOW: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "unreachable-node": (
            "Nothing leads to this node from the beginning: no transition, no group, no interjection, no call. Most "
            "often a "
            "transition was forgotten or names another node.",
            "a row thanks, and no row with thanks among its transitions",
            "Name it in the transitions of the node before it, or delete the row.",
        ),
        "trap": (
            "Whatever is chosen, the conversation goes round in a loop from here and never comes back to the user.",
            "start1 leads to a, a to b, b to a, and none of them speaks",
            "Give the loop a way out, or let one of its nodes speak.",
        ),
        "endless-loop": (
            "No node of the loop speaks and none leads out, so that each turn that comes here ends with an error after "
            "max_steps nodes.",
            "a: transition to b; b: transition to a",
            "Let one of the nodes speak to the user, or give one a transition that leads out.",
        ),
        "unchanging-loop": (
            "The loop has a way out, but what decides about it stays the same in the loop: once gone into, it goes "
            "on for ever.",
            "loop.a goes on while n < 3, and no node of the loop changes n",
            "Change in the loop what the condition looks at, or let the user speak in it.",
        ),
        "function-not-called": (
            "No node that can be reached calls the function. It may still be meant for the host, which calls it with "
            "apply_fn.",
            "a row price(n), and no call of price(…)",
            "Call it, delete it, or switch this off: --disable AG305.",
        ),
        "never-returns": (
            "From a node of the function no return can be reached any more: the node that made the call never goes on.",
            "ask() leads to retry, and retry only to itself",
            "Give one of the nodes after it the transition return.",
        ),
        "endless-recursion": (
            "Every path to the function's return calls the function again first, so that it ends with an error after "
            "max_depth calls.",
            "count(n): local_function x = count(n - 1), transition return",
            "Choose by a condition whether to call it: count.a returns, count.b calls.",
        ),
        "resume-without-interruption": (
            "resume goes back to the chat node that an interjection left; to this node none leads.",
            "an ordinary node with the transition resume",
            "Name the node to go to.",
        ),
        "return-perhaps-outside": (
            "The node belongs to a function, and is also entered without any call, where return is an error.",
            "an interjection with the transition return, which may be taken on the base level, too",
            "Use resume in interjections, or a node of its own for each of the two.",
        ),
        "duplicate-choice": (
            "The model cannot tell which of the two is meant, and the second is never taken.",
            "choices yes and Yes.",
            "Say in each choice what the others do not say.",
        ),
        "overlapping-choices": (
            "Both choices can be true at once, so that it is left to chance which one is taken.",
            "0-10 and 10-20; the user agrees and the user agrees but has a question",
            "Word them so that only one can be true: 0-9 and 10-20; the user agrees without a question.",
        ),
        "swapped-choices": (
            "The choice is worded like another transition of this node; choices and transitions are probably in "
            "different order.",
            "transitions: tea, coffee with the choices coffee, tea",
            "Put them in the same order.",
        ),
        "else-not-last": (
            "The first variant that holds is taken, and a variant without a condition always holds: those after it "
            "are never "
            "chosen.",
            "ticket.b without a condition, and ticket.c after it",
            "Give it a condition, or the last letter of the group.",
        ),
        "hidden-variant": (
            "The first variant that holds is taken, and wherever this condition holds, an earlier one does.",
            "ticket.a: age < 18, then ticket.b: age < 6",
            "Put the narrower condition first.",
        ),
        "same-interjection": (
            "The model cannot tell two interjections with the same condition apart, and the second is never taken.",
            "two rows with the condition: The user asks for help.",
            "Say in each condition what the other does not say, or make one node of them.",
        ),
        "overlapping-interjections": (
            "The conditions of two interjections can both be true, so that it is left to chance which one is taken.",
            "The user asks a question; The user asks a question about the price",
            "Word them so that only one can be true.",
        ),
        "interjection-never-asked": (
            "Interjections are asked for when the user has answered a chat node. Here no chat node has a next node.",
            "a program with one chat node, whose transition is quit",
            "Give the chat node a transition, or clear condition_interjection.",
        ),
    }
)
