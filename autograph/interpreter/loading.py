"""How does a file become a bot? ``load``, and the one-call ``reply`` and ``apply_fn`` with their cache."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import Any

from autograph.config import AutographConfig
from autograph.interpreter.bot import Autograph
from autograph.interpreter.python_file import run_python_file
from autograph.interpreter.trust import refuse_python, trust_of
from autograph.language.sandbox.exposure import as_modules
from autograph.memory import MemoryObject
from autograph.tables import Rows, read_rows

__all__ = ["apply_fn", "load", "reply"]

_CACHE_SIZE = 32
_cache: OrderedDict[tuple[Any, ...], tuple[Autograph, dict[str, Any]]] = OrderedDict()
_lock = Lock()


def load(
    source: Any,
    *,
    config: AutographConfig | None = None,
    model: Any = None,
    classifier: Any = None,
    modules: Mapping[str, Any] | Iterable[Any] | None = None,
    actions: tuple[Any, ...] = (),
    sheet: str | None = None,
    notify: Any = None,
    trust: Any = None,
    allow: str | Collection[str] | None = None,
    trimmer: Any = None,
) -> Autograph:
    """Load a program.

    ``source``: a path (.csv .tsv .txt .xlsx .yaml .yml .json; .py is run, see ``python_file``), a link to a
    shared Google Sheet, a DataFrame, a list of dicts. ``model`` writes texts and ``classifier`` answers
    questions (objects or model strings such as ``openai:gpt-5-mini``; None: ``auto``). ``modules``: host
    functions by name.
    ``actions``: classes of custom nodes. ``notify`` is told, in one line, which model ``auto`` chose.
    ``trust``: ``own``, or ``untrusted`` for a stranger's program, which then runs in a locked process (see
    ``docs/security.md``); None: ``untrusted`` for what is read from a link, else ``own``.
    ``allow``: which host functions the program may have (None, ``all``: those in ``modules``).
    ``trimmer``: shortens the messages of each request for a text: an object with ``trim_messages(messages)``, or such
    a function; ``autograph.dialogue.trimming`` has two.

    Raises ``ProgramError``, whose ``problems`` list all that is wrong; ``AutographError`` for a stranger's program
    that is a Python file, or where no process can be locked.
    """
    trust = trust_of(source, trust)
    found = read_source(source, sheet=sheet, trust=trust)
    bot = Autograph(
        config,
        model=model,
        classifier=classifier,
        modules={**found.modules, **as_modules(modules)},
        actions=actions,
        notify=notify,
        trust=trust,
        allow=allow,
        trimmer=trimmer,
    )
    return bot.load_rows(found.rows)


@dataclass(frozen=True, slots=True)
class Source:
    """What was read: the rows, and the host functions that a Python file brings."""

    rows: Rows
    modules: Mapping[str, Any]


def read_source(source: Any, *, sheet: str | None = None, trust: Any = "own") -> Source:
    """Read a program; a Python file is run for it, if it is trusted. Raises ``ProgramError``, ``AutographError``."""
    if isinstance(source, (str, PathLike)) and str(source).endswith(".py"):
        refuse_python(source, trust)
        program = run_python_file(Path(source))
        return Source(read_rows(program.data), program.modules)
    return Source(read_rows(source, sheet=sheet), {})


def _cached(source: Any, options: dict[str, Any]) -> Autograph:
    """The bot of a file, loaded once as long as the content of the file stays the same.

    Objects among the options are told apart by identity; the cache keeps them, so that no other
    object can take one's place.
    """
    content = _content(source)
    if content is None:
        return load(source, **options)
    key = (str(source), content, tuple((name, _mark(value)) for name, value in sorted(options.items())))
    with _lock:
        found = _cache.get(key)
        if found is not None:
            _cache.move_to_end(key)
            return found[0]
    bot = load(source, **options)
    with _lock:
        _cache[key] = (bot, options)
        while len(_cache) > _CACHE_SIZE:
            _cache.popitem(last=False)
    return bot


def _mark(value: Any) -> Any:
    if isinstance(value, AutographConfig):
        return repr(value)
    return value if value is None or isinstance(value, str) else id(value)


def _content(source: Any) -> str | None:
    """A digest of a file and of the configuration beside it; None if it is no file."""
    if not isinstance(source, (str, Path)) or "://" in str(source):
        return None
    path = Path(source)
    if not path.exists():
        path = Path(str(source).rsplit("#", 1)[0])
    beside = [path.with_suffix(f".config{suffix}") for suffix in (".yaml", ".yml", ".json")]
    digest = sha256()
    try:
        for file in [path, *(b for b in beside if b.exists())]:
            digest.update(file.read_bytes())
    except OSError:
        return None
    return digest.hexdigest()


def reply(
    source: Any, user_reply: str = "", memory: MemoryObject | None = None, **options: Any
) -> tuple[str, MemoryObject]:
    """Load ``source`` (cached by content) and take one turn: the reply, and the memory after it.

    ``options`` are those of ``load`` and of ``Autograph.reply``. Raises ``ProgramError``, ``RunError``,
    ``ModelError``.
    """
    loading, turn = _split(options)
    return _cached(source, loading).reply(user_reply, memory, **turn)


def apply_fn(source: Any, entry: str, args: Any = (), **options: Any) -> Any:
    """Load ``source`` (cached by content) and call one of its functions; see ``Autograph.apply_fn``."""
    loading, turn = _split(options)
    return _cached(source, loading).apply_fn(entry, args, **turn)


def _split(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    names = {"config", "model", "classifier", "modules", "actions", "sheet", "notify", "allow", "trust", "trimmer"}
    return {k: v for k, v in options.items() if k in names}, {k: v for k, v in options.items() if k not in names}
