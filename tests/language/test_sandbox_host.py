"""What the host gives to programs: functions, parts of modules, constants; and what stays out of reach."""

from __future__ import annotations

import collections
import datetime
from pathlib import Path
from typing import Any

import pytest

from autograph.config import AutographConfig
from autograph.errors import StatementError
from autograph.language.sandbox import Sandbox
from autograph.language.statements import StatementInterpreter


class Opaque:
    """A host object that is not registered."""

    name = "secret"

    def __getitem__(self, key: Any) -> str:
        return "secret"

    def __iter__(self) -> Any:
        return iter(["secret"])

    def __len__(self) -> int:
        return 3

    def __call__(self) -> str:
        return "secret"

    def __mul__(self, other: Any) -> str:
        return "secret"

    def __lt__(self, other: Any) -> bool:
        return True

    def __format__(self, spec: str) -> str:
        return "secret"

    def __repr__(self) -> str:
        return "secret"

    __add__ = __mod__ = __truediv__ = __pow__ = __or__ = __mul__


def interpreter(**modules: Any) -> StatementInterpreter:
    return StatementInterpreter(modules=modules)


def test_functions_by_name() -> None:
    shop = interpreter(price=lambda item, rate=1: {"tea": 3}[item] * rate)
    assert shop.execute_expression("price('tea') + price(item='tea', rate=2)", {}) == 9
    assert shop.execute_expression("list(map(price, ['tea']))", {}) == [3]
    assert shop.execute_expression("price(*['tea'], **{'rate': 5})", {}) == 15


def test_failures_are_explained() -> None:
    def search(query: str) -> None:
        raise ValueError("no results")

    with pytest.raises(StatementError, match=r"`search\(\)` failed: ValueError: no results") as caught:
        interpreter(search=search).execute_expression("search('x')", {})
    assert caught.value.__cause__ is None
    with pytest.raises(StatementError, match=r"`search\(\)` failed: TypeError"):
        interpreter(search=search).execute_expression("search()", {})


def test_context_is_given_to_those_who_ask() -> None:
    def whoami(greeting: str = "hi", context: Any = None) -> str:
        return f"{greeting} {context}"

    def keyword(*, context: Any) -> Any:
        return context

    sandbox = Sandbox(AutographConfig(), {"whoami": whoami, "keyword": keyword, "plain": lambda x: x})
    scope = sandbox.scope({})
    scope["@context"] = "Ada"
    assert sandbox.expression("whoami()").run(scope) == "hi Ada"
    for forged in ("whoami('yo', 'Bob')", "whoami(context='Eve')"):
        with pytest.raises(StatementError, match="given by the host"):
            sandbox.expression(forged).run(scope)
    assert sandbox.expression("keyword()").run(scope) == "Ada"
    assert sandbox.expression("plain(1)").run(scope) == 1
    assert sandbox.expression("whoami()").run(sandbox.scope({})) == "hi None"


def test_modules_by_a_list_of_names() -> None:
    given = interpreter(math=["sqrt", "pi"], textwrap=["shorten"], shop={"tax": 0.2, "total": lambda x: x * 1.2})
    assert given.execute_expression("math.sqrt(16) + math.pi > 7", {}) is True
    assert given.execute_expression("textwrap.shorten('a b  c', width=9)", {}) == "a b c"
    assert given.execute_expression("shop.total(10) + shop.tax", {}) == 12.2
    for code in ("math.floor(1)", "textwrap.dedent('')", "textwrap.re", "shop", "math"):
        with pytest.raises(StatementError):
            given.execute_expression(code, {})


@pytest.mark.parametrize(
    "modules",
    [
        {"os": ["getcwd"]},
        {"subprocess": ["run"]},
        {"os.path": ["join"]},
        {"math": ["nope"]},
        {"textwrap": ["nope"]},
        {"no_such_module": ["x"]},
        {"dt": datetime},
        {"shop": {"_x": 1}},
        {"constant": object()},
        {"shop": {"tags": ["a"]}},
        {"_x": len},
        {"a b": len},
    ],
)
def test_what_cannot_be_given(modules: dict[str, Any]) -> None:
    with pytest.raises(StatementError):
        StatementInterpreter(modules=modules)


def test_async_functions_are_known_but_not_called() -> None:
    async def fetch(x: Any) -> Any:
        return x

    sandbox = Sandbox(AutographConfig(), {"fetch": fetch, "plain": len})
    assert sandbox.async_names == {"fetch"}
    assert {"fetch", "plain", "len", "math"} <= sandbox.names
    for code in ("fetch(1)", "x = fetch", "list(map(fetch, [1]))"):
        with pytest.raises(StatementError, match="async"):
            sandbox.statements(code)


def test_results_become_plain_where_that_is_obvious() -> None:
    import numpy

    point = collections.namedtuple("point", "x y")
    given = interpreter(
        table=lambda: collections.OrderedDict(a=1), number=lambda: numpy.int64(3), pair=lambda: point(1, [2])
    )
    assert given.execute_expression("table()['a'] + number()", {}) == 4
    assert given.execute_expression("pair()[1]", {}) == [2]
    assert given.execute_expression("'ab' * number()", {}) == "ababab"


@pytest.mark.parametrize(
    "code",
    [
        "thing().name",
        "thing()['x']",
        "thing()[0:1]",
        "[x for x in thing()]",
        "list(thing())",
        "len(thing())",
        "thing()()",
        "[thing()][0]()",
        "list(map(thing(), [1]))",
        "thing() * 2 ** 3",
        "thing() + [1]",
        "thing() % 'x'",
        "thing() / 'x'",
        "thing() ** 2",
        "thing() | {1}",
        "thing() < [1]",
        "sorted([thing(), thing()])",
        "format(thing(), 'x')",
        "f'{thing():x}'",
        "'{:x}'.format(thing())",
        "sum([thing()])",
        "abs(thing())",
        "round(thing())",
        "int(thing())",
        "math.floor(thing())",
        "'a' in thing()",
        "a, b = thing()",
        "[*thing()]",
        "dict(**thing())",
        "x = thing()",
        "xs.append(thing())",
        "d['k'] = [thing()]",
        "d[thing()] = 1",
        "iter(thing())",
        "next(thing())",
        "reversed(thing())",
        "isinstance(1, thing())",
    ],
)
def test_unregistered_objects_are_opaque(code: str) -> None:
    given = interpreter(thing=Opaque)
    with pytest.raises(StatementError):
        given.execute_assignment(code, {"xs": [], "d": {}})


def test_opaque_objects_show_their_type_only() -> None:
    given = interpreter(thing=Opaque, home=lambda: Path("/tmp"))
    assert (
        given.execute_expression("str(thing()) + f'{thing()!r}' + '%s' % [thing()]", {}) == "<Opaque><Opaque>[<Opaque>]"
    )
    assert given.execute_expression("type(thing()).__name__", {}) == "Opaque"
    assert given.execute_expression("type(thing()) == type(thing())", {}) is True
    assert "tmp" not in given.execute_expression("str(home())", {})


def test_functions_and_classes_from_the_host_cannot_be_called() -> None:
    given = interpreter(get=lambda: [eval, Path, Opaque().__getitem__, lambda: 1])
    for number in range(4):
        with pytest.raises(StatementError):
            given.execute_expression(f"get()[{number}]('1')", {})


def test_dates_and_decimals_have_their_harmless_parts() -> None:
    from decimal import Decimal

    values = {"day": datetime.date(2024, 2, 29), "moment": datetime.datetime(2024, 2, 29, 12), "price": Decimal("9.50")}
    shared = StatementInterpreter()
    assert shared.execute_expression("day.year + day.weekday()", values) == 2027
    assert (
        shared.execute_expression("f'{day:%d.%m.%Y} {moment.isoformat()}'", values) == "29.02.2024 2024-02-29T12:00:00"
    )
    assert shared.execute_expression("str((moment - moment).total_seconds())", values) == "0.0"
    assert shared.execute_expression("price * 2 > 18 and f'{price:.1f}'", values) == "9.5"
    for code in ("f'{day:%999999Y}'", "int(huge)", "f'{huge:f}'", "math.floor(huge)", "round(huge)"):
        with pytest.raises(StatementError if "day" in code else Exception):
            shared.execute_expression(code, {**values, "huge": Decimal("1e999999")})
