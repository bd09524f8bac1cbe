"""How does checked code become guarded code? By one visitor: an allow-list of constructs, with guards where needed.

The result is evaluated with the program's variables as globals and the guards as builtins. Guards are
called ``@add``, ``@item`` …: names that no program can write, so that none can replace them. A guard is
left out where form alone makes the operation harmless, for instance ``x + 1``.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from typing import Any, NoReturn, cast

from autograph.errors import StatementError
from autograph.language.sandbox.builtins import BUILTINS, CHEAP_FUNCTIONS, CHEAP_METHODS, CHECKPOINT
from autograph.language.sandbox.facts import SIGNS, Facts, Known
from autograph.language.sandbox.parse import INSERTED
from autograph.language.sandbox.policy import (
    RESERVED,
    attribute_name,
    bindable,
    check_constant,
    no_function,
    readable,
    refusal,
)
from autograph.language.sandbox.scan import bound_names, is_number, is_scalar, size, weight
from autograph.language.sandbox.types import CHANGING_METHODS, TYPES

__all__ = ["Rewriter"]


class Rewriter:
    """Rewrites one expression; ``facts`` tells afterwards what it does."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.facts = Facts()
        self._local: list[Collection[str]] = []
        self._repeated = 0

    # -- dispatch ---------------------------------------------------------------------------------

    def rewrite(self, node: ast.expr) -> ast.expr:
        """The guarded form of ``node``. Raises ``StatementError`` for what may not stand in a program."""
        method = _METHODS.get(type(node))
        if method is None:
            raise refusal(node)
        return ast.copy_location(cast(ast.expr, method(self, node)), node)

    def _all(self, nodes: Iterable[ast.expr]) -> list[ast.expr]:
        return [self.rewrite(node) for node in nodes]

    def guard(self, name: str, *args: ast.expr, keywords: list[ast.keyword] | None = None) -> ast.Call:
        """A call of a guard; its first argument is the fuel."""
        self.facts.guards += 1
        return ast.Call(_load(f"@{name}"), [_load("@fuel"), *args], keywords or [])

    def _is_local(self, name: str) -> bool:
        return any(name in names for names in self._local)

    def is_known(self, name: str, kind: Collection[str]) -> bool:
        """Whether ``name`` is one of ``kind`` here, and no variable of a loop or lambda."""
        return name in kind and not self._is_local(name)

    # -- leaves -----------------------------------------------------------------------------------

    def _constant(self, node: ast.Constant) -> ast.expr:
        check_constant(node.value)
        return ast.Constant(node.value)

    def _name(self, node: ast.Name) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            raise refusal(node)
        name = node.id
        if name.startswith("@value"):
            return _load(name)
        if name.startswith("$"):
            return self.guard("dollar", self._name(ast.Name(name[1:], ast.Load())))
        readable(name)
        if not self._is_local(name):
            if name in RESERVED:
                self.facts.needs.add(name)
            if name in self.known.awaited:
                raise _awaited(name)
            if name in self.known.hosts or (name in self.known.functions and name not in TYPES):
                self.facts.needs_fuel = self.facts.needs_watch = True
                self.facts.mutates |= name in self.known.hosts - self.known.pure
            elif name in self.known.modules:  # as a value it can be a variable of that name only
                self.facts.reads.add(name)
                return self.guard("variable", _load(name))
            elif name not in self.known.functions:
                self.facts.reads.add(name)
        return _load(name)

    # -- operators --------------------------------------------------------------------------------

    def _binary(self, node: ast.BinOp) -> ast.expr:
        sign = SIGNS.get(type(node.op))
        if sign is None:
            raise refusal(node.op)
        left, right = self.rewrite(node.left), self.rewrite(node.right)
        if self._is_harmless(node, sign):
            return ast.BinOp(left, node.op, right)
        return self.guard(sign, left, right)

    def _is_harmless(self, node: ast.BinOp, sign: str) -> bool:
        one, other = is_number(node.left, self), is_number(node.right, self)
        if one and other:
            return sign in ("+", "-", "*", "/", "//")
        if sign in ("+", "-"):
            return (one or other) and self._unguarded()
        if sign in ("/", "//"):
            return other and self._unguarded()
        return sign == "*" and (_is_float(node.left) or _is_float(node.right)) and self._unguarded()

    def _unguarded(self) -> bool:
        """Whether one more operation may do without a guard, harmless as it is for all plain values.

        A table makes a whole table of it: a few of them are bounded, but not those in a loop.
        """
        if self._repeated or self.facts.unguarded >= _MOST_UNGUARDED:
            return False
        self.facts.unguarded += 1
        return True

    def _unary(self, node: ast.UnaryOp) -> ast.expr:
        sign = _UNARY.get(type(node.op))
        operand = self.rewrite(node.operand)
        if sign is None or is_number(node.operand, self) or self._unguarded():
            return ast.UnaryOp(node.op, operand)
        return self.guard(f"u{sign}", operand)

    def _boolean(self, node: ast.BoolOp) -> ast.expr:
        return ast.BoolOp(node.op, self._all(node.values))

    def _condition(self, node: ast.IfExp) -> ast.expr:
        return ast.IfExp(self.rewrite(node.test), self.rewrite(node.body), self.rewrite(node.orelse))

    def _compare(self, node: ast.Compare) -> ast.expr:
        operands = [node.left, *node.comparators]
        signs = [SIGNS[type(op)] for op in node.ops]
        plain = [self._comparable(sign, a, b) for sign, a, b in zip(signs, operands, operands[1:], strict=False)]
        if all(plain):
            return ast.Compare(self.rewrite(node.left), node.ops, self._all(node.comparators))
        if len(signs) == 1:
            return self.guard(signs[0], self.rewrite(node.left), self.rewrite(node.comparators[0]))
        if all(isinstance(operand, ast.Name | ast.Constant) for operand in operands[1:-1]):
            pairs = zip(operands, node.ops, operands[1:], strict=False)
            return ast.BoolOp(ast.And(), [self.rewrite(ast.Compare(a, [op], [b])) for a, op, b in pairs])
        values = self._all(operands)
        thunks = [ast.Lambda(_no_arguments(), value) for value in values[2:]]
        return self.guard("chain", ast.Tuple([ast.Constant(sign) for sign in signs], ast.Load()), *values[:2], *thunks)

    def _comparable(self, sign: str, a: ast.expr, b: ast.expr) -> bool:
        """Whether two operands can be compared without a guard."""
        if sign.startswith("is"):
            return not isinstance(a, ast.Constant) and (not isinstance(b, ast.Constant) or b.value is None)
        if sign in ("in", "not in"):
            return isinstance(b, ast.Tuple | ast.List) and 0 < len(b.elts) <= 100 and all(map(_is_constant, b.elts))
        one, other = is_scalar(a, self), is_scalar(b, self)
        return (one and other) or ((one or other) and self._unguarded())

    # -- displays and texts -----------------------------------------------------------------------

    def _elements(self, nodes: Iterable[ast.expr], keyed: bool = False) -> list[ast.expr]:
        values: list[ast.expr] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                self.facts.needs_fuel = True
                inner = self.guard("spread", self.rewrite(node.value))
                values.append(ast.Starred(self._keyed_all(inner) if keyed else inner, ast.Load()))
            else:
                values.append(self._keyed(node) if keyed else self.rewrite(node))
        return values

    def _keyed(self, node: ast.expr) -> ast.expr:
        value = self.rewrite(node)
        return value if isinstance(node, ast.Constant) else self.guard("key", value)

    def _keyed_all(self, value: ast.expr) -> ast.expr:
        return self.guard("set", value)

    def _list(self, node: ast.List) -> ast.expr:
        return ast.List(self._elements(node.elts), ast.Load())

    def _tuple(self, node: ast.Tuple) -> ast.expr:
        return ast.Tuple(self._elements(node.elts), ast.Load())

    def _set(self, node: ast.Set) -> ast.expr:
        return ast.Set(self._elements(node.elts, keyed=True))

    def _dict(self, node: ast.Dict) -> ast.expr:
        names: list[ast.expr | None] = []
        values: list[ast.expr] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                self.facts.needs_fuel = True
                names.append(None)
                values.append(self.guard("mapping", self.rewrite(value)))
            else:
                names.append(self._keyed(key))
                values.append(self.rewrite(value))
        return ast.Dict(names, values)

    def _text(self, node: ast.JoinedStr) -> ast.expr:
        return self.guard("fstr", *self._all(node.values))

    def _formatted(self, node: ast.FormattedValue) -> ast.expr:
        if node.conversion == INSERTED:
            assert isinstance(node.value, ast.Name)
            name = node.value.id[1:]
            return self.guard("insert", self._name(ast.Name(name, ast.Load())), ast.Constant(name))
        value = self.rewrite(node.value)
        if node.format_spec is None and node.conversion == -1:
            return self.guard("fmt", value)
        spec = ast.Constant("") if node.format_spec is None else self.rewrite(node.format_spec)
        return self.guard("fmt", value, ast.Constant(node.conversion), spec)

    # -- access -----------------------------------------------------------------------------------

    def _attribute(self, node: ast.Attribute) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            raise StatementError(f"attributes such as `.{node.attr}` cannot be assigned.")
        name = attribute_name(node)
        if name == "__name__":
            return self.guard("typename", self.rewrite(node.value))
        self._note_attribute(node.value, name)
        return self.guard("attr", self._owner(node.value), ast.Constant(name))

    def _owner(self, node: ast.expr) -> ast.expr:
        """What stands before a dot: the only place for the name of a module."""
        if isinstance(node, ast.Name) and self._is_module(node):
            return _load(node.id)
        return self.rewrite(node)

    def _may_change(self, owner: ast.expr, name: str) -> bool:
        """Whether ``owner.name`` may be a method that changes its value, or a host function that does."""
        if name in CHANGING_METHODS or name in self.known.changing:
            return True
        return (
            isinstance(owner, ast.Name)
            and self._is_in_module(owner, name)
            and f"{owner.id}.{name}" not in self.known.pure
        )

    def _note_attribute(self, owner: ast.expr, name: str) -> None:
        self.facts.mutates |= self._may_change(owner, name)
        if name in self.known.needs:
            self.facts.needs.add(self.known.needs[name])
            self.facts.needs_fuel = True  # which leads to what is provided

    def _is_in_module(self, owner: ast.expr, name: str) -> bool:
        return isinstance(owner, ast.Name) and self._is_module(owner) and name in self.known.modules[owner.id]

    def _is_module(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and self.is_known(node.id, self.known.modules)

    def _subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            raise refusal(node)
        value = self.rewrite(node.value)
        if isinstance(node.slice, ast.Slice):
            parts = (node.slice.lower, node.slice.upper, node.slice.step)
            return self.guard("slice", value, *[ast.Constant(None) if p is None else self.rewrite(p) for p in parts])
        if isinstance(node.slice, ast.Tuple) and any(isinstance(part, ast.Slice) for part in node.slice.elts):
            return self.guard("item", value, ast.Tuple([self._index(part) for part in node.slice.elts], ast.Load()))
        return self.guard("item", value, self.rewrite(node.slice))

    def _index(self, node: ast.expr) -> ast.expr:
        """One of several indices, as in ``table.iloc[0:2, 1]``."""
        if not isinstance(node, ast.Slice):
            return self.rewrite(node)
        parts = (node.lower, node.upper, node.step)
        return self.guard("part", *[ast.Constant(None) if p is None else self.rewrite(p) for p in parts])

    # -- calls ------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> ast.expr:
        args = self._elements(node.args)
        keywords = [self._keyword(item) for item in node.keywords]
        function = node.func
        if isinstance(function, ast.Name) and not function.id.startswith("$") and not self._is_local(function.id):
            return self._named_call(function.id, args, keywords)
        if isinstance(function, ast.Attribute):
            name = attribute_name(function)
            self._note_attribute(function.value, name)
            if self._is_in_module(function.value, name):
                self.facts.needs_fuel |= not self._is_math(function.value)
                self.facts.needs_watch |= not self._is_math(function.value)
            else:
                self.facts.needs_fuel |= name not in CHEAP_METHODS
            return self.guard(
                "methods" if keywords else "method",
                self._owner(function.value),
                ast.Constant(name),
                *args,
                keywords=keywords,
            )
        self.facts.mutates = self.facts.needs_fuel = self.facts.needs_watch = True
        return self.guard("call", self.rewrite(function), *args, keywords=keywords)

    def _is_math(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == "math" and self._is_module(node)

    def _keyword(self, node: ast.keyword) -> ast.keyword:
        if node.arg == "key":
            self.facts.needs_fuel = self.facts.needs_watch = True
        if node.arg is None:
            self.facts.needs_fuel = True
            return ast.keyword(None, self.guard("named", self.rewrite(node.value)))
        return ast.keyword(bindable(node.arg), self.rewrite(node.value))

    def _named_call(self, name: str, args: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
        """A call of a function by its name, which a variable of the same name does not change."""
        readable(name)
        if name == "visits":
            self.facts.needs.add("visits")
            return self.guard("visiting", _load("@visits"), *args, keywords=keywords)
        if name in self.known.awaited:
            raise _awaited(name)
        if name in self.known.hosts:
            self.facts.mutates |= name not in self.known.pure
            self.facts.needs_fuel = self.facts.needs_watch = True
        elif name in self.known.functions:
            self.facts.needs_fuel |= name not in CHEAP_FUNCTIONS
            if name == CHECKPOINT.name:
                self.facts.needs.add(CHECKPOINT.needs)
        elif name not in BUILTINS:  # one that the configuration leaves out is missing when it is called
            raise no_function(name, self.known.functions | self.known.hosts | self.known.awaited)
        return self.guard(f"call:{name}", *args, keywords=keywords)

    # -- loops and lambdas ------------------------------------------------------------------------

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> ast.expr:
        self.facts.needs_fuel = self.facts.needs_watch = True
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        first = self.rewrite(node.generators[0].iter)  # seen by the surroundings, not by the loop itself
        self._local.append(bound_names([generator.target for generator in node.generators]))
        self._repeated += 1
        generators = self._generators(node.generators, first, results, _ENTRY_BYTES[type(node)])
        if isinstance(node, ast.DictComp):
            value: ast.expr = ast.DictComp(self._keyed(node.key), self.rewrite(node.value), generators)
        else:
            element = self._keyed(node.elt) if isinstance(node, ast.SetComp) else self.rewrite(node.elt)
            value = type(node)(element, generators)
        self._repeated -= 1
        self._local.pop()
        return value

    def _generators(
        self, nodes: list[ast.comprehension], first: ast.expr, results: list[ast.expr], entry: int
    ) -> list[ast.comprehension]:
        generators = []
        for place, node in enumerate(nodes):
            if node.is_async:
                raise StatementError("`async for` is not possible here; leave async out.")
            is_last = place == len(nodes) - 1
            inner = [*node.ifs, *(results if is_last else [nodes[place + 1].iter])]
            iterable = self.rewrite(node.iter) if place else first
            costs = ast.Constant(weight(inner)), ast.Constant(size(inner) + entry * is_last)
            loop = self.guard("iter", iterable, *costs)
            generators.append(ast.comprehension(_target(node.target), loop, self._all(node.ifs), 0))
        return generators

    def _lambda(self, node: ast.Lambda) -> ast.expr:
        self.facts.needs_fuel = self.facts.needs_watch = True
        given = node.args
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
        names = {bindable(item.arg) for item in every}
        arguments = ast.arguments(
            posonlyargs=[ast.arg(item.arg) for item in given.posonlyargs],
            args=[ast.arg(item.arg) for item in given.args],
            vararg=given.vararg and ast.arg(given.vararg.arg),
            kwonlyargs=[ast.arg(item.arg) for item in given.kwonlyargs],
            kw_defaults=[default and self.rewrite(default) for default in given.kw_defaults],
            kwarg=given.kwarg and ast.arg(given.kwarg.arg),
            defaults=self._all(given.defaults),
        )
        self._local.append(names)
        self._repeated += 1
        body = self.rewrite(node.body)
        self._repeated -= 1
        self._local.pop()
        costs = ast.Constant(weight([node.body])), ast.Constant(size([node.body]))
        return ast.Lambda(arguments, ast.IfExp(self.guard("tick", *costs), body, _NONE))

    def _starred(self, node: ast.Starred) -> NoReturn:
        raise StatementError("* is possible in calls, lists, tuples and sets only.")


def _target(node: ast.expr) -> ast.expr:
    """The variables of a loop: names and tuples of names."""
    if isinstance(node, ast.Name):
        return ast.Name(bindable(node.id), ast.Store())
    if isinstance(node, ast.Tuple | ast.List):
        return ast.Tuple([_target(item) for item in node.elts], ast.Store())
    raise StatementError("the variables of a loop are plain names, such as `for a, b in pairs`.")


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _no_arguments() -> ast.arguments:
    return ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])


def _is_float(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is float


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is not ...


def _awaited(name: str) -> StatementError:
    return StatementError(
        f"{name}() is an async function: it can be called in python_function and function nodes only, "
        f"and not under and/or, if/else, a lambda or a comprehension."
    )


_NONE = ast.Constant(None)
_MOST_UNGUARDED = 12
_ENTRY_BYTES: dict[type[ast.AST], int] = {ast.ListComp: 9, ast.SetComp: 70, ast.DictComp: 110, ast.GeneratorExp: 0}
"""What an entry of the result takes."""
_UNARY: dict[type[ast.AST], str] = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
_METHODS: dict[type[ast.AST], Any] = {
    ast.Constant: Rewriter._constant,
    ast.Name: Rewriter._name,
    ast.BinOp: Rewriter._binary,
    ast.UnaryOp: Rewriter._unary,
    ast.BoolOp: Rewriter._boolean,
    ast.IfExp: Rewriter._condition,
    ast.Compare: Rewriter._compare,
    ast.List: Rewriter._list,
    ast.Tuple: Rewriter._tuple,
    ast.Set: Rewriter._set,
    ast.Dict: Rewriter._dict,
    ast.JoinedStr: Rewriter._text,
    ast.FormattedValue: Rewriter._formatted,
    ast.Attribute: Rewriter._attribute,
    ast.Subscript: Rewriter._subscript,
    ast.Call: Rewriter._call,
    ast.ListComp: Rewriter._comprehension,
    ast.SetComp: Rewriter._comprehension,
    ast.DictComp: Rewriter._comprehension,
    ast.GeneratorExp: Rewriter._comprehension,
    ast.Lambda: Rewriter._lambda,
    ast.Starred: Rewriter._starred,
}
