"""What a statement may be and what it means, rule by rule."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from autograph.config import AutographConfig
from autograph.errors import StatementError
from autograph.language.sandbox import Sandbox
from autograph.language.statements import StatementInterpreter

SHARED = StatementInterpreter()
SANDBOX = Sandbox(AutographConfig())


def value(code: str, **variables: Any) -> Any:
    return SHARED.execute_expression(code, variables)


def after(code: str, **variables: Any) -> Mapping[str, Any]:
    SHARED.execute_assignment(code, variables)
    return variables


def failure(code: str, **variables: Any) -> str:
    with pytest.raises(StatementError) as caught:
        SHARED.execute_assignment(code, variables)
    return caught.value.message


class TestDollar:
    """``$name`` in code is a value, never code."""

    def test_is_the_value(self) -> None:
        assert value("$x + 1", x=2) == 3
        assert value("max($user_list)", user_list="[3, 11, 2]") == 11
        assert value("max($user_list)", user_list=[4, 7]) == 7
        assert value("$y==3", y=3) is True

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("[3, 1]", [3, 1]),
            ("  5", 5),
            ("-2.5", -2.5),
            ("'a'", "a"),
            ("None", None),
            ("True", True),
            ("{'a': (1,)}", {"a": (1,)}),
            ("yes", "yes"),
            ("Not now", "Not now"),
            ("open('x')", "open('x')"),
            ("[1, x]", "[1, x]"),
            ("9" * 5000, "9" * 5000),
            ("[" * 500, "[" * 500),
            ("", ""),
        ],
    )
    def test_text_that_is_a_literal_counts_as_the_literal(self, text: str, expected: Any) -> None:
        assert value("$x", x=text) == expected

    def test_inside_a_text_it_is_replaced_as_text(self) -> None:
        assert value("'a $x b'", x=[1]) == "a [1] b"
        assert value('f"{n + 1} $x"', n=1, x="'quoted'") == "2 'quoted'"
        assert value("f'{$x + 1}'", x="4") == "5"
        assert value("d['$key']", d={"k": 1}, key="k") == 1
        assert value("'$größe'", größe=3) == "3"

    def test_inserted_text_is_not_scanned_again(self) -> None:
        assert value("'$a'", a="$b {c} %s", b=1) == "$b {c} %s"
        assert value("'$a'", a="'); open('x') #") == "'); open('x') #"

    @pytest.mark.parametrize("text", ["$5", "a $ b", "end $", "$_x", "$__builtins__", "${x}", "$$"])
    def test_other_dollars_stay(self, text: str) -> None:
        assert value(repr(text), x=1, _=1) == text

    def test_a_backslash_keeps_the_name(self) -> None:
        assert value(r"'\$x costs \$5'", x=1) == r"$x costs \$5"

    def test_reserved_variables_are_replaced(self) -> None:
        assert value("'$_last_user_reply!'", _last_user_reply="hi") == "hi!"

    def test_undefined_and_none(self) -> None:
        assert "'money'" in failure("'costs $money'")
        assert "$x is None" in failure("'costs $x'", x=None)
        assert "'x'" in failure("$x + 1")
        assert value("$x", x=None) is None

    @pytest.mark.parametrize(
        "code", ["$x = 1", "f.$x", "dict($x=1)", "lambda $x: 1", "[1 for $x in [2]]", "$5", "$", "a, $x = 1, 2", "$_x"]
    )
    def test_where_it_makes_no_sense(self, code: str) -> None:
        assert failure(code, x=1, f=1)

    def test_names_do_not_end_too_early(self) -> None:
        assert value("'$name's'".replace("'s'", "`s'"), name="Ada") == "Ada`s"
        assert value("$a1 + $a", a1=1, a=2) == 3


class TestStatements:
    """Assignments, targets and lines."""

    def test_targets(self) -> None:
        assert after("x = 1") == {"x": 1}
        assert after("a, b = b, a", a=1, b=2) == {"a": 2, "b": 1}
        assert after("a, *r, b = 'wxyz'") == {"a": "w", "r": ["x", "y"], "b": "z"}
        assert after("[a, b] = (1, 2)") == {"a": 1, "b": 2}
        assert after("d['k'] = [1]", d={}) == {"d": {"k": [1]}}
        assert after("d['k'] += 2", d={"k": 1}) == {"d": {"k": 3}}
        assert after("m[1][0] = 7", m=[[1], [2]]) == {"m": [[1], [7]]}

    def test_results(self) -> None:
        scope: dict[str, Any] = {"a": 4, "d": {}}
        assert SHARED.execute_assignment("x = a * 2", scope) == ("x", 8)
        assert SHARED.execute_assignment("a == 4", scope) == (None, True)
        assert SHARED.execute_assignment("d['k'] = 3", scope) == (None, 3)
        assert SHARED.execute_assignment("a = 1\nb = a + 1", scope) == ("b", 2)
        assert SHARED.execute_assignment("a += 1", scope) == ("a", 2)
        assert SHARED.execute_assignment("p, q = 1, 2", scope)[0] is None

    def test_change_in_place(self) -> None:
        shared = [1]
        assert after("x += [2]", x=shared)["x"] is shared
        assert shared == [1, 2]
        other = {1}
        assert after("x |= {2}", x=other)["x"] is other
        assert after("x += 'b'", x="a") == {"x": "ab"}
        assert after("x *= 2", x=[1, 2]) == {"x": [1, 2, 1, 2]}

    def test_lines(self) -> None:
        assert after("b=a+1\nc=b*2", a=3) == {"a": 3, "b": 4, "c": 8}
        assert after("\n  # first\n  x = [1,\n    2]\n\n  y = x[0]  # last\n") == {"x": [1, 2], "y": 1}
        assert after("x = 'a\\nb'") == {"x": "a\nb"}

    @pytest.mark.parametrize(
        ("code", "words"),
        [
            ("a = b = 1", "line of its own"),
            ("a = 1; b = 2", "`;`"),
            ("import os", "`import`"),
            ("def f(): pass", "`def`"),
            ("(y := 1)", "`:=`"),
            ("x: int = 1", "annotation"),
            ("for i in x: pass", "comprehension"),
            ("while True: pass", "loop of nodes"),
            ("if x: y = 1", "if block"),
            ("del x", "`del`"),
            ("x.y = 1", "`.y`"),
            ("x[0:1] = [2]", "slice"),
            ("(a, b), c = x", "plain names"),
            ("a @ b", "`@`"),
            ("...", "`...`"),
            ("_x = 1", "underscore"),
            ("_last_state = 1", "only be read"),
            ("score\nx = 1", "no effect"),
            ("", "no code"),
            ("  # only a comment", "no code"),
            ("x = 1\n  y = 2", "line 2"),
            ("x = = 1", "character 5"),
            ("x = (1,\n y = 2", "line"),
            ("x = 1\0", "NUL"),
            ("await f()", "await"),
            ("[x async for x in y]", "async"),
            ("print(*x, file=y)", "print()"),
            ("lambda: (yield)", "yield"),
        ],
    )
    def test_what_is_refused_is_named(self, code: str, words: str) -> None:
        assert words in failure(code, x=[1], y=2)

    def test_an_expression_is_no_assignment(self) -> None:
        for code in ("x = 1", "x += 1", "import os", "1\n2"):
            with pytest.raises(StatementError):
                SHARED.execute_expression(code, {"x": 1})

    def test_unpacking_needs_the_right_number(self) -> None:
        assert "2 names" in failure("a, b = x", x=[1, 2, 3])
        assert "at least 2" in failure("a, *b, c = x", x=[1])


class TestErrors:
    """What an author is told."""

    @pytest.mark.parametrize(
        ("code", "words"),
        [
            ("nmae + 1", "'nmae' is not defined. Did you mean 'name'?"),
            ("open('x')", "there is no open() here; files cannot be read or written."),
            ("eval('1')", "there is no eval() here; text is never run as code."),
            ("repr(1)", "there is no repr() here; it is not among the builtins that the configuration allows."),
            ("lenn(name)", "there is no function lenn(). Did you mean 'len'?"),
            ("max(key=eval)", "'eval' is not defined"),
            ("name.uper()", '"uper" cannot be read from a value of type str. Did you mean "upper"?'),
            ("d.name", 'Items of a dict are written ["name"].'),
            ("name.__class__", '"__class__" cannot be read'),
            ("1 / 0", "a number is divided by zero."),
            ("d['q']", "there is no key 'q'."),
            ("name + 1", "str"),
            ("int('x')", "invalid literal"),
            ("name()", "there is no function name()."),
            ("d['x']()", "there is no key 'x'."),
            ("(1)()", "a value of type int is no function and cannot be called."),
            ("math", "`math` is a module"),
            ("math.nope", "math has no nope here."),
            ("sum([[1], [2]])", "sum() adds numbers"),
            ("', '.join([1])", "join() takes texts; item 0 is of type int, use str(...)."),
            ("len(1)", "a value of type int has no length."),
            ("[x for x in 5]", "a value of type int has no items to run through."),
            ("'{0.real}'.format(1)", "looks into a value"),
            ("len()", "len() was not given the arguments it takes."),
            ("next(iter([]))", "next() found nothing more"),
            ("visits('a')", "visits() is available inside a program only."),
        ],
    )
    def test_messages(self, code: str, words: str) -> None:
        assert words in failure(code, name="Ada", d={"name": 1})

    def test_no_cause_is_kept(self) -> None:
        with pytest.raises(StatementError) as caught:
            value("1 / 0")
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__

    def test_impossible_names_for_variables(self) -> None:
        for name in ("__builtins__", "@item", "a b", "_x", "class", "", "1a", 5):
            with pytest.raises(StatementError):
                SHARED.execute_expression("1", {name: 1})  # type: ignore[dict-item]
        assert SHARED.execute_expression("_last_state", {"_last_state": "a"}) == "a"

    def test_what_is_still_to_be_evaluated_is_no_result(self) -> None:
        for code in ("lambda: 1", "(x for x in [1])", "map(str, [1])", "len", "'{0.x}'.format", "[].append"):
            with pytest.raises(StatementError, match="the value is"):
                value(code)
            assert "the value is" in failure(code)

    def test_what_cannot_be_stored_is_not_assigned(self) -> None:
        for code in ("f = int", "f = [len]", "f = {'a': (lambda: 1,)}", "f = [map(str, [1])]", "f = {}.keys()"):
            assert "stored" in failure(code)


class TestValuesStayStorable:
    """No cycles, and nothing that cannot be stored, come into lists, dicts and sets."""

    @pytest.mark.parametrize(
        "code",
        [
            "xs.append(xs)",
            "list.append(xs, xs)",
            "xs.append([xs])",
            "xs.append((xs,))",
            "xs.extend([xs])",
            "xs += [xs]",
            "xs.insert(0, {'a': xs})",
            "xs[0] = [xs]",
            "d['k'] = d",
            "d['k'] = [d]",
            "d.update({'k': d})",
            "d.update(k=d)",
            "d.setdefault('z', d)",
            "d |= {'k': d}",
            "d['k'] += [d]",
            "list(map(xs.append, [xs]))",
            "list(map(list.append, [xs], [xs]))",
            "xs.append(lambda: 1)",
            "xs.append(len)",
            "xs.append(int)",
            "d['k'] = (x for x in xs)",
            "xs.extend([map(str, xs)])",
            "d[len] = 1",
            "s.add(len)",
            "s |= {len}",
            "s.update([len])",
        ],
    )
    def test_refused(self, code: str) -> None:
        scope: dict[str, Any] = {"xs": [1], "d": {"k": []}, "s": {1}}
        with pytest.raises(StatementError):
            SHARED.execute_assignment(code, scope)
        assert scope == {"xs": [1], "d": {"k": []}, "s": {1}}

    def test_sharing_is_no_cycle(self) -> None:
        scope: dict[str, Any] = {"xs": [1], "ys": [2]}
        SHARED.execute_assignment("xs.append(ys)\nxs.append(ys)", scope)
        assert scope["xs"] == [1, [2], [2]]
        assert scope["xs"][1] is scope["ys"]


class TestMeaning:
    """Details of the language that differ from what an evaluator might do."""

    def test_types_are_tokens(self) -> None:
        assert value("type(1) == int and type(1) is int and type('') is not int")
        assert value("isinstance(True, (str, int))")
        assert value("type('').__name__") == "str"
        assert value("str(type(1))") == "<class 'int'>"
        assert value("list(map(str.lower, ['A']))") == ["a"]
        assert value("str.upper(s)", s="a") == "A"
        assert value("dict.fromkeys('ab', 1)") == {"a": 1, "b": 1}

    def test_comprehensions_and_lambdas_see_variables(self) -> None:
        assert value("[[x * k for x in xs if x < f(k)] for f in [lambda q: q + len(xs)]]", xs=[1, 9], k=3) == [[3]]
        assert value("[(lambda v, w=2: v * w + k)(x) for x in xs]", xs=[1], k=1) == [3]

    def test_a_variable_may_be_called_like_a_builtin(self) -> None:
        assert value("items + max", items=1, max=2) == 3
        assert value("list.append(3)", list=[]) is None
        assert value("math + 1 if math > 2 else operator", math=3, operator=4) == 4
        assert value("math.get('x')", math={"x": 5}) == 5
        assert value("[max(3) for max in [lambda v: v + 1]]") == [4]

    def test_chains_stop_early(self) -> None:
        assert value("1 < x.get('n', 0) < missing", x={}) is False
        assert value("0 < len(xs) < 5 > len(xs)", xs=[1])
        assert value("a < b + c < d + e", a=1, b=1, c=1, d=1, e=2)
        assert value("[v for v in xs if 0 < v * one <= v * two]", xs=[1, -1], one=1, two=2) == [1]

    def test_printing_goes_to_the_scope(self) -> None:
        lines: list[str] = []
        scope = SANDBOX.scope({"x": [1]})
        scope["@print"] = lines.append
        assert SANDBOX.expression("print('a', x, sep='-')").run(scope) is None
        assert SANDBOX.expression("print()").run(scope) is None
        assert lines == ["a-[1]", ""]
        assert value("print(1)") is None

    def test_formats(self) -> None:
        assert value("'{:>6}|{b!r}|{0}'.replace('{:>6}', '{1:>6}').format(1, 2.5, b='x')") == "   2.5|'x'|1"
        assert value("'%-5s|%05.1f|%x|%c' % ('a', 2.5, 255, 65)") == "a    |002.5|ff|A"
        assert value("'%(k)s %%' % d", d={"k": 1}) == "1 %"
        assert value("'%s' % (t,)", t=(1, 2)) == "(1, 2)"
        assert value("f'{x!r:>5}|{y:{w}.1f}'", x="a", y=1.25, w=6) == "  'a'|   1.2"
        assert value("f'{x=}'", x=3) == "x=3"

    def test_functions_show_no_addresses(self) -> None:
        assert value("str([lambda: 1, len, int, (x for x in [])])").count("0x") == 0

    def test_configured_builtins_and_modules(self) -> None:
        bare = StatementInterpreter(AutographConfig(python_built_ins=["len"], python_imports=[]))
        assert bare.execute_expression("len('ab')", {}) == 2
        for code in ("max(1, 2)", "math.pi", "str(1)"):
            with pytest.raises(StatementError):
                bare.execute_expression(code, {})
        with pytest.raises(StatementError, match="'open'"):
            StatementInterpreter(AutographConfig(python_built_ins=["open"]))
        with pytest.raises(StatementError, match="'os'"):
            StatementInterpreter(AutographConfig(python_imports=["os"]))


class TestFacts:
    """What a compiled statement tells about itself."""

    @pytest.mark.parametrize(
        ("code", "plain", "mutates"),
        [
            ("score + 1", True, False),
            ("i <= n", True, False),
            ("len(xs) - 1", True, False),
            ("xs[i]", True, False),
            ("x = a + b", True, False),
            ("a, b = b, a", True, False),
            ("name.lower()", True, False),
            ("type(a) == int", True, False),
            ("xs.append(1)", True, True),
            ("list.append(xs, 1)", True, True),
            ("math.append(1)", True, True),
            ("math.floor(a / 2)", True, False),
            ("x += 1", True, False),
            ("x += y", True, True),
            ("d['k'] = 1", True, True),
            ("sorted(xs)", False, False),
            ("[x for x in xs]", False, False),
            ("list(map(xs.append, xs))", False, True),
            ("functools.reduce(lambda a, b: a + b, xs)", False, False),
            ("print(x)", False, False),
        ],
    )
    def test_plain_and_mutates(self, code: str, plain: bool, mutates: bool) -> None:
        (statement,) = SANDBOX.statements(code)
        assert (statement.plain, statement.mutates) == (plain, mutates)

    def test_reads_and_needs(self) -> None:
        statement = SANDBOX.expression("[x + k for x in xs if visits('n')] + [$v, '$w', _last_state, len(y)]")
        assert statement.reads == {"k", "xs", "v", "w", "_last_state", "y"}
        assert statement.needs == {"visits", "_last_state"}

    def test_visits(self) -> None:
        scope = SANDBOX.scope({})
        scope["@visits"] = {"a": 3}.get
        for code in ("visits()", "visits(1)", "visits((1, 2))", "visits('a', 'b')"):
            with pytest.raises(StatementError, match="name of a node"):
                SANDBOX.expression(code).run(scope)
        assert SANDBOX.expression("visits('a') + 1").run(scope) == 4
        assert value("visits + 1", visits=2) == 3

    def test_values_of_finished_calls(self) -> None:
        import ast

        tree = SANDBOX.parse("1 + f(x)")[0].value  # type: ignore[attr-defined]
        tree.right = ast.Name("@value0", ast.Load())
        statement = SANDBOX.compile_expression(tree)
        scope = SANDBOX.scope({})
        scope["@value0"] = 4
        assert statement.run(scope) == 5


def test_import_is_light() -> None:
    code = "import sys, autograph.language.statements as s; s.StatementInterpreter().execute_expression('1 + 1', {}); "
    code += "print([m for m in ('lark', 'regex', 'yaml', 'asyncio', 'pandas', 'ctypes') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
