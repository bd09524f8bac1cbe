"""What a host marks and exposes: functions with a name, a price and purity; types by exact type and name."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import pytest

import autograph
from autograph.config import AutographConfig
from autograph.errors import LimitError, StatementError
from autograph.language.sandbox import Sandbox
from autograph.language.sandbox.exposure import as_modules, mark_of
from autograph.language.statements import StatementInterpreter

MARKER = "MARKER-9c1d"


class Order:
    """An order of the shop."""

    rates = ("de", 0.19)

    def __init__(self, number: int, total: float) -> None:
        self.id = number
        self.total = total
        self.items = ["pen", "ink"]
        self.owner: Order | None = None
        self._secret = MARKER

    @property
    def broken(self) -> None:
        raise ValueError("no database")

    def with_tax(self, rate: float = 0.1, context: Any = None) -> Any:
        return self.total * (1 + rate) if context is None else (self.total, context)

    @autograph.host_function(pure=True)
    def label(self) -> str:
        return f"Nr. {self.id}"

    def pay(self) -> None:
        self.total = 0.0

    @classmethod
    def make(cls) -> Order:
        return cls(0, 0.0)

    @staticmethod
    def tool() -> None: ...

    async def wait(self) -> None: ...


class Express(Order):
    """A subclass has no rights from its base."""


@dataclass
class Point:
    x: int
    y: int
    hidden: str = MARKER


class Spoken:
    def __repr__(self) -> str:
        return "Spoken!"


NAMES = {"id", "total", "items", "owner", "broken"}
METHODS = {"with_tax", "label", "pay"}
SHOWN = "<Order>" * 4 + "[<Order>]"


def shop(**modules: Any) -> StatementInterpreter:
    exposed = autograph.expose_type(Order, attrs=NAMES, methods=METHODS)
    return StatementInterpreter(modules={"Order": exposed, "order": lambda n=7: Order(n, 40.0), **modules})


# ---------------------------------------------------------------------- functions


def test_marked_functions_stay_what_they_are() -> None:
    @autograph.host_function
    def search(query: str) -> str:
        """Look it up."""
        return query.upper()

    @autograph.host_function(name="price", costs=7, pure=True)
    def price_of(item: str) -> int:
        return len(item)

    assert search("a") == "A"
    mark = mark_of(search)
    assert mark is not None
    assert (mark.name, mark.documentation, mark.costs, mark.pure) == ("search", "Look it up.", 50, False)
    assert mark_of(price_of) == type(mark)("price", "", 7, True)
    assert mark_of(len) is None
    given = StatementInterpreter(modules=[search, price_of])
    assert given.execute_expression("search('a') + str(price('tea'))", {}) == "A3"
    assert StatementInterpreter(modules={"find": search}).execute_expression("find('a')", {}) == "A"


def test_functions_in_a_list_go_by_their_names() -> None:
    def one() -> int:
        return 1

    exposed = autograph.expose_type(Order, attrs={"id"})
    assert as_modules([one, exposed]) == {"one": one, "Order": exposed}
    assert as_modules(None) == {}
    given = {"x": one}
    assert as_modules(given) == given
    for wrong in ([one, one], [5], [lambda: 1], [functools.partial(one)], ["math"], [object()]):
        with pytest.raises(StatementError):
            StatementInterpreter(modules=wrong)


def test_purity_spares_the_copies() -> None:
    @autograph.host_function(pure=True)
    def look(x: Any) -> Any:
        return x

    def change(x: Any) -> Any:
        return x

    sandbox = Sandbox(AutographConfig(), {"look": look, "change": change, "m": {"look": look, "change": change}})
    for code, mutates in (
        ("look(xs)", False), ("change(xs)", True), ("m.look(xs)", False), ("m.change(xs)", True),
        ("list(map(look, xs))", False), ("list(map(change, xs))", True), ("look(xs.append(1))", True),
    ):  # fmt: skip
        assert sandbox.expression(code).mutates is mutates, code


def test_costs_are_charged() -> None:
    @autograph.host_function(costs=1000)
    def dear() -> int:
        return 1

    given = StatementInterpreter(modules=[dear])
    assert given.execute_expression("sum([dear() for i in range(190)])", {}) == 190
    with pytest.raises(LimitError):
        given.execute_expression("sum([dear() for i in range(210)])", {})


def test_copies_of_results_are_charged() -> None:
    large = list(range(50_000))
    given = StatementInterpreter(modules={"get": lambda: large})
    with pytest.raises(LimitError):
        given.execute_expression("[get() for i in range(3000)]", {})


def test_what_cannot_be_marked() -> None:
    with pytest.raises(StatementError, match="cannot be marked"):
        autograph.host_function(len)
    with pytest.raises(StatementError, match="cannot be the name"):
        autograph.host_function(lambda: 1)
    for name in ("_x", "a b", "for", ""):
        with pytest.raises(StatementError, match="cannot be the name"):
            autograph.host_function(name=name)(shop)
    with pytest.raises(StatementError, match="cannot cost"):
        autograph.host_function(costs=-1)(shop)
    with pytest.raises(StatementError, match="marks functions"):
        autograph.host_function(5)  # type: ignore[call-overload]


# ---------------------------------------------------------------------- types


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("order().id", 7),
        ("order().total + order(1).id", 41.0),
        ("order().with_tax(rate=0.5)", 60.0),
        ("order().with_tax(0.5)", 60.0),
        ("order().label()", "Nr. 7"),
        ("sorted([order(3), order(1)], key=lambda o: o.id)[0].id", 1),
        ("[o.label() for o in [order(1), order(2)]]", ["Nr. 1", "Nr. 2"]),
        ("list(map(lambda o: o.id, [order(4)]))", [4]),
        ("(lambda label: label())(order().label)", "Nr. 7"),
        ("isinstance(order(), Order) and type(order()) == Order and not isinstance(1, Order)", True),
        ("type(order()).__name__", "Order"),
        ("str(order()) + f'{order()}' + '{}'.format(order()) + '%s' % order() + str([order()])", SHOWN),
        ("order().owner is None", True),
    ],
)
def test_reading(code: str, expected: Any) -> None:
    assert shop().execute_expression(code, {}) == expected


@pytest.mark.parametrize(
    "code",
    [
        "order()._secret",
        "order().rates",
        "order().make",
        "order().tool",
        "order().__dict__",
        "order().id.real.x",
        "order()['id']",
        "order().ID",
        "Order()",
        "Order.make()",
        "Order.with_tax(order())",
        "order() < order()",
        "order() + 1 + 'x'",
        "-order() + [1][0:order()]",
        "len(order())",
        "[x for x in order()]",
        "order()()",
        "order().broken",
        "order().with_tax('x')",
        "order().with_tax(1, 2, 3, 4)",
        "express().id",
        "express().label()",
        "[express()][0].total",
        "point().x",
        "'{0.id}'.format(order())",
        "'{0._secret}'.format(order())",
    ],
)
def test_refused(code: str) -> None:
    given = shop(express=lambda: Express(1, 1.0), point=lambda: Point(1, 2))
    with pytest.raises(StatementError) as caught:
        given.execute_expression(code, {})
    assert MARKER not in str(caught.value)


def test_nothing_is_written() -> None:
    order = Order(1, 2.0)
    for code in ("o.id = 5", "o.id += 1", "[0 for o.id in [9]]", "o['id'] = 1", "setattr(o, 'id', 1)", "del o.id"):
        with pytest.raises(StatementError):
            shop().execute_assignment(code, {"o": order})
    shop().execute_expression("o.items.append('ink')", {"o": order})
    assert (order.id, order.items) == (1, ["pen", "ink"])


def test_lists_of_objects_that_the_host_keeps_are_not_changed() -> None:
    kept = [Order(1, 1.0), [Order(2, 2.0)], {"o": Order(3, 3.0)}]
    given = shop(kept=lambda: kept)
    given.execute_expression("[kept().append(1), kept()[1].append(2), kept()[2].update(x=3)]", {})
    assert given.execute_expression("[kept()[0].id, kept()[1][0].id, kept()[2]['o'].id]", {}) == [1, 2, 3]
    assert (len(kept), len(kept[1]), len(kept[2])) == (3, 1, 1)  # type: ignore[arg-type]


def test_methods_are_those_of_the_class() -> None:
    order = Order(1, 2.0)
    order.label = lambda: MARKER  # type: ignore[method-assign]
    assert shop().execute_expression("o.label()", {"o": order}) == "Nr. 1"


def test_failures_are_explained() -> None:
    with pytest.raises(StatementError, match=r"^`Order.broken` failed: ValueError: no database"):
        shop().execute_expression("order().broken", {})
    with pytest.raises(StatementError, match=r"`Order.with_tax\(\)` failed: TypeError"):
        shop().execute_expression("order().with_tax('x')", {})
    with pytest.raises(StatementError, match=r'"totl" cannot be read from a value of type Order. Did you mean "total"'):
        shop().execute_expression("order().totl", {})
    with pytest.raises(StatementError, match="of which programs make no values"):
        shop().execute_expression("Order(1)", {})


def test_context_reaches_methods_that_ask() -> None:
    sandbox = shop().sandbox
    scope = sandbox.scope({})
    scope["@context"] = "Ada"
    assert sandbox.expression("order().with_tax()").run(scope) == (40.0, "Ada")


def test_only_pure_methods_spare_the_copies() -> None:
    sandbox = shop().sandbox
    for code, mutates in (("o.label()", False), ("o.pay()", True), ("o.id", False), ("o.pay", True)):
        assert sandbox.expression(code).mutates is mutates, code


def test_the_policy_belongs_to_one_sandbox() -> None:
    strict = StatementInterpreter(modules={"order": lambda: Order(1, 1.0)})
    assert shop().execute_expression("order().id", {}) == 7
    with pytest.raises(StatementError):
        strict.execute_expression("order().id", {})
    outer = shop(inside=lambda: strict.execute_expression("order().id", {}))
    with pytest.raises(StatementError):
        outer.execute_expression("inside()", {})
    wider = shop()
    nested = StatementInterpreter(modules={"inside": lambda: wider.execute_expression("order().id", {})})
    assert nested.execute_expression("inside()", {}) == 7
    with pytest.raises(StatementError):
        shop(inside=lambda: wider.execute_expression("1", {})).execute_expression("[inside(), express().id]", {})


def test_texts_of_objects() -> None:
    exposed = {
        "Spoken": autograph.expose_type(Spoken),
        "Point": autograph.expose_type(Point, attrs={"x", "y"}),
        "spoken": Spoken,
        "point": lambda: Point(1, 2),
    }
    given = StatementInterpreter(modules=exposed)
    assert given.execute_expression("str(spoken()) + f'{[spoken()]}'", {}) == "Spoken![Spoken!]"
    assert given.execute_expression("str(point())", {}) == "<Point>"  # its own text would show what is hidden
    whole = {**exposed, "Point": autograph.expose_type(Point, attrs={"x", "y", "hidden"})}
    assert StatementInterpreter(modules=whole).execute_expression("f'{point()}'", {}) == repr(Point(1, 2))


def test_objects_are_stored_as_their_host_says() -> None:
    variables: dict[str, Any] = {}
    with pytest.raises(StatementError, match="cannot be stored"):
        shop().execute_assignment("x = order()", variables)
    exposed = autograph.expose_type(Order, attrs={"id"}, to_plain=lambda order: {"id": order.id})
    given = StatementInterpreter(modules={"Order": exposed, "order": lambda n=7: Order(n, 1.0)})
    given.execute_assignment(
        "x = order()\nxs = [order(1), (order(2), 3)]\nn = order(5).id\na, b = order(1), 2", variables
    )
    assert variables == {"x": {"id": 7}, "xs": [{"id": 1}, ({"id": 2}, 3)], "n": 5, "a": {"id": 1}, "b": 2}
    with pytest.raises(StatementError):
        given.execute_assignment("xs.append(order())", variables)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (Order, {"attrs": {"_secret"}}),
        (Order, {"attrs": {"__dict__"}}),
        (Order, {"attrs": {"a b"}}),
        (Order, {"attrs": "id"}),
        (Order, {"methods": {"missing"}}),
        (Order, {"methods": {"make"}}),
        (Order, {"methods": {"tool"}}),
        (Order, {"methods": {"rates"}}),
        (Order, {"methods": {"broken"}}),
        (Order, {"methods": {"wait"}}),
        (Order, {"attrs": {"pay"}, "methods": {"pay"}}),
        (dict, {"methods": {"get"}}),
        (type, {"attrs": {"mro"}}),
        (type(autograph), {"attrs": {"load"}}),
        (Order(1, 1.0), {}),
    ],
)
def test_what_cannot_be_exposed(kind: Any, options: dict[str, Any]) -> None:
    with pytest.raises(StatementError):
        autograph.expose_type(kind, **options)


def test_types_stand_alone() -> None:
    with pytest.raises(StatementError, match="give it a name of its own"):
        StatementInterpreter(modules={"shop": {"Order": autograph.expose_type(Order)}})


def test_the_modules_pandas_and_numpy_are_never_given() -> None:
    for name in ("pandas", "numpy"):
        with pytest.raises(StatementError, match="cannot be given"):
            StatementInterpreter(modules={name: ["read_csv"]})
