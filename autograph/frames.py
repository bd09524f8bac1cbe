"""How is a pandas table taken apart into plain values, and put together again?

pandas itself is imported only when a table is put together. Kept are the values, the types of the columns,
index and column labels with their names; ``attrs`` and the frequency of a date index are not.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

__all__ = ["assemble", "dismantle", "is_frame", "object_cells"]

_NUMBERS = re.compile(r"bool|u?int(8|16|32|64)|float(16|32|64)|complex(64|128)")
_MOMENTS = re.compile(r"(datetime64|timedelta64)\[(s|ms|us|ns)\]")
_ZONED = re.compile(r"datetime64\[(s|ms|us|ns), [^\]]+\]")
_NULLABLE = re.compile(r"boolean|U?Int(8|16|32|64)|Float(32|64)|string|str")


def is_frame(value: object) -> bool:
    """Whether ``value`` is exactly a pandas ``DataFrame``."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and type(value) is getattr(pandas, "DataFrame", None)


def object_cells(frame: Any, path: str) -> Iterator[tuple[str, list[Any]]]:
    """The cells and labels of a table that may be of any type, for the caller to check, with their place.

    Raises ``ValueError`` for a column whose type cannot be stored.
    """
    labels = list(frame.columns)
    places = [(f"{path}[{label!r}]", frame.iloc[:, i].array) for i, label in enumerate(labels)]
    for place, index in ((f"{path}.index", frame.index), (f"{path}.columns", frame.columns)):
        yield place, list(index.names)
        places += [(place, index.get_level_values(i).array) for i in range(index.nlevels)]
    for place, array in places:
        name = str(array.dtype)
        if name == "category":
            array = array.categories.array
            name = str(array.dtype)
        if name == "object":
            yield place, list(array)
        elif not _is_known(name, array.dtype):
            raise ValueError(f"{place} holds values of type {name}, which cannot be stored; convert it with .astype().")


def _is_known(name: str, dtype: Any) -> bool:
    if _NUMBERS.fullmatch(name) or _MOMENTS.fullmatch(name) or _NULLABLE.fullmatch(name):
        return True
    if not _ZONED.fullmatch(name):
        return False
    try:
        return bool(type(dtype).construct_from_string(name) == dtype)
    except (TypeError, ValueError):  # a time zone that its name does not describe
        return False


def dismantle(frame: Any) -> dict[str, Any]:
    """The table as dicts and lists of plain values. It must have passed the check of ``object_cells``."""
    return {
        "columns": _take_index(frame.columns),
        "index": _take_index(frame.index),
        "data": [_take(frame.iloc[:, i].array) for i in range(frame.shape[1])],
    }


def _take_index(index: Any) -> dict[str, Any]:
    names = list(index.names)
    if type(index).__name__ == "RangeIndex":
        return {"range": [index.start, index.stop, index.step], "names": names}
    return {"levels": [_take(index.get_level_values(i).array) for i in range(index.nlevels)], "names": names}


def _take(array: Any) -> dict[str, Any]:
    name = str(array.dtype)
    if name == "category":
        codes = array.codes.tolist()
        return {"type": name, "of": _take(array.categories.array), "values": codes, "ordered": bool(array.ordered)}
    if name == "object":
        values = list(array)
    elif _NULLABLE.fullmatch(name):
        plain, filler = (object, None) if name in ("string", "str") else (name.lower().removesuffix("ean"), 0)
        filled = array.to_numpy(dtype=plain, na_value=filler).tolist()
        values = [None if missing else value for value, missing in zip(filled, array.isna(), strict=True)]
    elif "64[" in name:  # moments and durations, counted in their unit
        values = array.asi8.tolist()
    else:
        values = array.to_numpy().tolist()
    return {"type": name, "values": values}


def assemble(parts: Any) -> Any:
    """The table again. Raises ``ValueError`` if ``parts`` is not what ``dismantle`` returns."""
    import pandas

    try:
        columns, index, data = parts["columns"], parts["index"], parts["data"]
        series = [_build(column) for column in data]
        frame = pandas.DataFrame(dict(enumerate(series)), index=_build_index(index))
        frame.columns = _build_index(columns)
    except Exception as error:  # pandas raises all kinds of errors for malformed parts
        raise ValueError(f"the table is malformed ({type(error).__name__}: {error})") from error
    return frame


def _build_index(parts: Any) -> Any:
    import pandas

    names = parts["names"]
    if "range" in parts:
        start, stop, step = parts["range"]
        (name,) = names
        return pandas.RangeIndex(start, stop, step, name=name)
    levels = [_build(level) for level in parts["levels"]]
    if len(levels) == 1:
        (name,) = names
        return pandas.Index(levels[0], name=name, tupleize_cols=False)
    return pandas.MultiIndex.from_arrays(levels, names=names)


def _build(parts: Any) -> Any:
    import numpy
    import pandas

    name, values = parts["type"], parts["values"]
    if name == "category":
        of = pandas.Index(_build(parts["of"]))
        return pandas.Categorical.from_codes(values, categories=of, ordered=parts["ordered"])
    if name == "object":
        cells = numpy.empty(len(values), dtype=object)
        for i, cell in enumerate(values):  # not in one go: numpy would take ranges for rows
            cells[i] = cell
        return pandas.Series(cells, dtype=object)
    if _NUMBERS.fullmatch(name):
        return numpy.array(values, dtype=name)
    if _NULLABLE.fullmatch(name):
        return pandas.array(values, dtype=name)
    if not (_MOMENTS.fullmatch(name) or _ZONED.fullmatch(name)):
        raise ValueError(f"unknown type {name!r}")
    unit, _, zone = name[name.index("[") + 1 : -1].partition(", ")
    kind = "M8" if name.startswith("datetime") else "m8"
    moments = numpy.array(values, dtype="int64").view(f"{kind}[{unit}]")
    if not zone:
        return pandas.array(moments)
    return pandas.DatetimeIndex(moments).tz_localize("UTC").tz_convert(zone).array
