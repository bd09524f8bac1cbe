"""How does a program reach what the host gives it? Functions by name, modules by a list of their names."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from sys import getsizeof
from types import MappingProxyType, ModuleType
from typing import Any

from autograph.errors import AutographError, StatementError
from autograph.frames import is_frame
from autograph.language.sandbox.budget import CURRENT, Fuel, Units
from autograph.language.sandbox.exposure import CALL_COST, ExposedType, mark_of
from autograph.language.sandbox.limits import HANDED_NODES, TABLE_COST
from autograph.language.sandbox.modules import MODULES
from autograph.language.sandbox.sizes import bytes_of, weigh
from autograph.language.sandbox.tables import cell_count, charge_table, is_column, is_table
from autograph.language.sandbox.tokens import Function, Module, Native, TypeToken, words
from autograph.values import check_storable, deep_copy, is_leaf, to_plain

__all__ = [
    "Exposure",
    "charge_result",
    "context_place",
    "expose",
    "exposure_of",
    "is_async",
    "received",
    "refuse_context",
    "stored",
]

_READ_COST = 10
_REFUSED = frozenset(
    words(
        "builtins os sys subprocess importlib pickle ctypes gc inspect io types shutil socket code codeop "
        "runpy marshal shelve posix nt pty signal threading multiprocessing tempfile pathlib glob pandas numpy"
    )
)


def is_async(value: object) -> bool:
    """Whether a host function is to be awaited."""
    call = getattr(value, "__call__", None)  # noqa: B004 - an object with an async __call__ counts, too
    return inspect.iscoroutinefunction(value) or inspect.iscoroutinefunction(call)


def expose(name: str, value: Any) -> Any:
    """What a program sees under ``name``.

    ``value`` is a function, an exposed type, a list of names of the module ``name``, a mapping of names to
    functions and constants, or a plain constant. Raises ``StatementError`` for modules as a whole and for what
    cannot be shown.
    """
    if isinstance(value, ModuleType):
        raise StatementError(f"the module {name} cannot be given as a whole; list what is needed of it by name.")
    if isinstance(value, ExposedType):
        return TypeToken(name, value.kind, _no_construction(name))
    if callable(value):
        return _function(name, value)
    if isinstance(value, Mapping):
        return Module(name, MappingProxyType({str(key): _member(name, str(key), item) for key, item in value.items()}))
    if isinstance(value, list | tuple | set | frozenset) and all(isinstance(item, str) for item in value):
        return Module(name, MappingProxyType(_selected(name, value)))
    return _constant(name, value)


def _member(module: str, name: str, value: Any) -> Any:
    if name.startswith("_") or not name.isidentifier():
        raise StatementError(f"{module}.{name} cannot be given to programs: names begin with a letter.")
    whole = f"{module}.{name}"
    if isinstance(value, ExposedType):
        raise StatementError(f"the type {whole} cannot be given inside a module; give it a name of its own.")
    return _function(whole, value) if callable(value) else _constant(whole, value)


def _function(name: str, value: Callable[..., Any]) -> Function:
    mark = mark_of(value)
    costs, pure = (CALL_COST, False) if mark is None else (mark.costs, mark.pure)
    return Function(name, guarded(f"{name}()", value, costs), pure)


def _no_construction(name: str) -> Native:
    def run(fuel: Units, /, *args: Any, **named: Any) -> Any:
        raise StatementError(f"{name} is a type of the host, of which programs make no values; call a function for it.")

    return run


def _constant(name: str, value: Any) -> Any:
    try:
        check_storable(value, name)
    except ValueError as error:
        raise StatementError(f"{name} cannot be given to programs: {error}") from None
    try:
        hash(value)
    except TypeError:
        raise StatementError(
            f"{name} cannot be given to programs: a value of type {type(value).__name__} could be changed by them; "
            f"give a function that returns a fresh one."
        ) from None
    return value


def _selected(module: str, names: Iterable[str]) -> dict[str, Any]:
    curated = MODULES.get(module)
    if curated is not None:
        unknown = [name for name in names if name not in curated.table]
        if unknown:
            raise StatementError(f"{module}.{unknown[0]} is not available to programs; give a function of your own.")
        return {name: curated.table[name] for name in names}
    if module.split(".")[0] in _REFUSED:
        raise StatementError(f"the module {module} cannot be given to programs; wrap what is needed in a function.")
    try:
        real = importlib.import_module(module)
    except ImportError as error:
        raise StatementError(f"the module {module} cannot be imported: {error}.") from None
    missing = [name for name in names if not hasattr(real, name)]
    if missing:
        raise StatementError(f"the module {module} has no {missing[0]}.")
    return {name: _member(module, name, getattr(real, name)) for name in names}


def guarded(name: str, function: Callable[..., Any], costs: int = CALL_COST) -> Native:
    """A guard that calls a host function: outside the program's time, and with its failures explained.

    A parameter called ``context`` is filled with the context of the turn; a program cannot give it.
    """
    place = context_place(function)

    def run(fuel: Units, /, *args: Any, **named: Any) -> Any:
        fuel.charge(costs)
        for value in (*args, *named.values()):
            fuel.charge(fuel.weigh(value, limit=HANDED_NODES) >> 6)
        if place is not None:
            refuse_context(name, place, args, named)
            named["context"] = fuel.context
        watch = fuel.watch
        token = CURRENT.set(fuel if isinstance(fuel, Fuel) else None)
        try:
            if watch is not None:
                watch.pause()
            try:
                value = function(*args, **named)
            finally:
                if watch is not None:
                    watch.resume()
        except AutographError:
            raise
        except Exception as error:
            raise StatementError(f"`{name}` failed: {type(error).__name__}: {error}") from None
        finally:
            CURRENT.reset(token)
        value = received(value, (*args, *named.values()))
        charge_result(fuel, value)
        return value

    return run


def charge_result(fuel: Units, value: Any) -> None:
    """Charge for what a host function returned: for its bytes, and for the copy that was made of it."""
    if is_table(value):
        fuel.charge(TABLE_COST + (cell_count(value) >> 8))
        charge_table(fuel, value)
    elif is_leaf(value):
        fuel.bytes(getsizeof(value))
    else:
        items, collections = weigh(value, limit=HANDED_NODES, depth=fuel.limits.depth)
        fuel.charge(items >> 6)
        fuel.charge_turn(4 * collections + (items >> 1))
        fuel.bytes(bytes_of(value))


def received(value: Any, given: Iterable[Any]) -> Any:
    """What a host function returned, as plain data that the host no longer holds.

    A list that the host keeps (a cache, say) is copied, so that no program can change it; containers that the
    program itself had ``given`` stay the same objects. What is no plain data is passed on as it is, in copies of
    the containers that hold it.
    """
    plain = to_plain(value)
    if is_leaf(plain):
        return plain
    try:
        return deep_copy(plain, _containers(given))
    except ValueError:
        return _rebuilt(plain, _containers(given))


def _rebuilt(value: Any, memo: dict[int, Any]) -> Any:
    """``value`` in new lists, dicts and tuples; what else it holds stays the same, but for tables."""
    kind = type(value)
    if id(value) in memo:
        return memo[id(value)]
    if kind is list:
        items: list[Any] = []
        memo[id(value)] = items
        items += [_rebuilt(item, memo) for item in value]
        return items
    if kind is dict:
        table: dict[Any, Any] = {}
        memo[id(value)] = table
        table.update({key: _rebuilt(item, memo) for key, item in value.items()})
        return table
    if kind is tuple:
        return tuple([_rebuilt(item, memo) for item in value])
    return value.copy() if kind is set or is_frame(value) or is_column(value) else value


def _containers(given: Iterable[Any]) -> dict[int, Any]:
    """All lists, dicts and so on inside ``given``, by identity."""
    found: dict[int, Any] = {}
    waiting = list(given)
    while waiting:
        value = waiting.pop()
        if isinstance(value, list | tuple | dict | set | frozenset) and id(value) not in found:
            found[id(value)] = value
            waiting.extend(value.values() if isinstance(value, dict) else value)
    return found


def refuse_context(name: str, place: int, positional: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Raise ``StatementError`` if a program gives the context itself: hosts may take from it who somebody is."""
    if "context" in named or len(positional) > place:
        shown = name.removesuffix("()")
        raise StatementError(f"the context of `{shown}()` is given by the host, not by the program; leave it out.")


def context_place(function: Callable[..., Any]) -> int | None:
    """How many positional arguments may be given before ``context`` is one of them; None: it has no such parameter."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
    parameter = parameters.get("context")
    if parameter is None or parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
        return None
    return sys.maxsize if parameter.kind is inspect.Parameter.KEYWORD_ONLY else list(parameters).index("context")


# ---------------------------------------------------------------------- exposed types


@dataclass(frozen=True, slots=True)
class Exposure:
    """A host's type as the guards see it: what is read, what is called, how it is stored and written."""

    reads: Mapping[str, Native]
    methods: Mapping[str, Native]
    changing: frozenset[str]
    to_plain: Native | None
    text: Native | None


def exposure_of(exposed: ExposedType) -> Exposure:
    """The guards for an exposed type. Methods are those of the class, whatever an object has of that name."""
    kind, name = exposed.kind, exposed.kind.__name__
    methods = {method: getattr(kind, method) for method in sorted(exposed.methods)}
    marks = {method: mark_of(function) for method, function in methods.items()}
    return Exposure(
        reads={attr: guarded(f"{name}.{attr}", _reader(attr), _READ_COST) for attr in sorted(exposed.attrs)},
        methods={
            method: guarded(f"{name}.{method}()", function, mark.costs if (mark := marks[method]) else CALL_COST)
            for method, function in methods.items()
        },
        changing=frozenset(method for method, mark in marks.items() if mark is None or not mark.pure),
        to_plain=None if exposed.to_plain is None else guarded(f"to_plain of {name}", exposed.to_plain),
        text=guarded(f"{name}.__repr__()", kind.__repr__) if exposed.shown else None,
    )


def _reader(attr: str) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        return getattr(value, attr)

    return read


def stored(fuel: Units, value: Any) -> Any:
    """``value`` as it leaves a statement: objects that their host makes plain data of are replaced by it."""
    if is_leaf(value):
        return value
    return _stored(fuel, value, {})


def _stored(fuel: Units, value: Any, done: dict[int, Any]) -> Any:
    kind = type(value)
    exposure = fuel.types.get(kind)
    if exposure is not None:
        if exposure.to_plain is None:
            return value
        if id(value) not in done:
            done[id(value)] = exposure.to_plain(fuel, value)
        return done[id(value)]
    if kind not in (list, tuple, dict) or id(value) in done:
        return done.get(id(value), value)
    done[id(value)] = value  # what contains itself is refused later
    if kind is dict:
        items = {key: _stored(fuel, item, done) for key, item in value.items()}
        same = all(items[key] is item for key, item in value.items())
    else:
        items = kind(_stored(fuel, item, done) for item in value)
        same = all(one is other for one, other in zip(items, value, strict=True))
    done[id(value)] = value if same else items
    return done[id(value)]
