"""How is code from programs run safely? It is checked against an allow-list, given guards, compiled and evaluated.

    parse      source text to a checked tree; ``$name``
    policy     names, attributes and constructs that are possible, and the words for those that are not
    rewrite    the tree with guards in it; scan: what form alone tells; facts: what is known; targets: assignments
    compile    ``Sandbox`` and ``Statement``
    arithmetic comparison items iteration inserts texts percent access calling    the guards
    types builtins methods_*    what values can do; modules dates chance json_texts patterns statistic: the modules
    tables table_*    pandas' tables, read only
    exposure host    what the host says of its functions and types, and how they are called
    budget watchdog limits sizes    how much in a statement and a turn, how long, how large
    failures   what the author is told

It is a strong filter and a governor of resources, not a proof: run programs of strangers in a locked process.
"""

from autograph.language.sandbox.compile import Sandbox, Statement
from autograph.language.sandbox.failures import translate_error

__all__ = ["Sandbox", "Statement", "translate_error"]
