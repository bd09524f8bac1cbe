"""What developers hold: ``Autograph``, a loaded program with its models.

A bot is immutable while it runs, and safe to share between threads and conversations: all state is
in the ``MemoryObject`` that each call is given and returns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from autograph.config import AutographConfig
from autograph.errors import AutographError, Problem, ProgramError, RunError, did_you_mean
from autograph.interpreter import turns
from autograph.interpreter.drivers import drive, drive_async
from autograph.interpreter.nodes import NODE_CLASSES, AwaitingPython, Node
from autograph.interpreter.plugins import installed_actions
from autograph.interpreter.process import Variants, lettered_groups
from autograph.interpreter.run import OPTIONS, Run
from autograph.interpreter.streamed import AsyncStreamedReply, StreamedReply
from autograph.interpreter.trimmers import trimmer_of
from autograph.interpreter.trust import Turns, refuse_disagreement, refuse_model, trust_word, turns_for
from autograph.interpreter.turns import base_level, finish_call, finish_turn
from autograph.language.sandbox.exposure import as_modules
from autograph.memory import MemoryObject
from autograph.models.base import Model
from autograph.program import NodeSpec, Program, build
from autograph.program.capabilities import permitted, refused
from autograph.tables import read_rows
from autograph.vocabulary import ACTIONS, normalise_action

if TYPE_CHECKING:
    from autograph.tables import Rows

__all__ = ["Autograph"]


class Autograph:
    """A chatbot.

    ``Autograph(config)`` begins an empty one: ``add_node(name=…, action=…)``, then ``update()``.
    ``autograph.load`` makes one from a file. ``model`` writes texts, ``classifier`` answers
    questions (default: the same); each is an object or a model string, None means ``auto``.
    ``modules`` are the host functions and exposed modules. ``actions`` are further node classes.
    ``trust``: ``own`` (None), or ``untrusted`` for a stranger's program, which then runs in a process that the
    operating system has locked; ``autograph.locked.Limits(…)`` means the latter, with these limits.
    ``allow``: the names of the host functions that the program may have (None, ``all``: those in ``modules``); a
    program whose ``capabilities`` ask for more is refused.
    ``trimmer`` shortens the messages of each request for a text (see ``interpreter.trimmers``).
    """

    def __init__(
        self,
        config: AutographConfig | Mapping[str, Any] | None = None,
        *,
        model: Model | str | None = None,
        classifier: Model | str | None = None,
        modules: Mapping[str, Any] | Iterable[Any] | None = None,
        actions: tuple[type[Node], ...] = (),
        notify: Callable[[str], None] | None = None,
        trust: Any = None,
        allow: str | Collection[str] | None = None,
        trimmer: Any = None,
    ) -> None:
        self._given = _configuration(config)
        self._modules = permitted(as_modules(modules), allow)
        self._allow = allow
        self._actions = {cls.action.name: cls for cls in actions if cls.action is not None}
        self._models: dict[tuple[str, bool], Model] = {}
        self._wanted = {"chatbot": model, "classifier": classifier}
        self._notify = notify
        self._word, self._trust = trust_word(trust), trust
        self._turns: Turns = turns
        self.trimmer = trimmer_of(trimmer)
        for wanted in (model, classifier):
            if wanted is not None and wanted != "auto":
                self._refuse_bad_model(wanted)
        self._added: list[dict[str, str]] = []
        self._program: Program | None = None
        self.node_table: dict[str, Node] = {}
        self.lettered: dict[str, Variants] = {}

    # ------------------------------------------------------------------ building

    def load_rows(self, rows: Rows) -> Autograph:
        """Compile rows into this bot. Raises ``ProgramError``."""
        self._added = [dict(row.fields) for row in rows]
        self._compile(rows)
        return self

    def add_node(self, *, name: str, action: str, **fields: Any) -> None:
        """Add a node by its fields (``transitions`` may be a list). Call ``update`` before the next turn."""
        self._added.append({"name": name, "action": action, **fields})

    def update(self) -> Autograph:
        """Compile the nodes added so far. Raises ``ProgramError``; the bot then stays as it was."""
        self._compile(read_rows(self._added))
        return self

    def _compile(self, rows: Rows) -> None:
        if any(normalise_action(row.fields.get("action", "")) not in ACTIONS for row in rows):
            self._actions = {**installed_actions(), **self._actions}
        actions = {name: cls.action for name, cls in self._actions.items() if cls.action is not None}
        begins = turns_for(self._trust, rows, self._given, self._modules)
        program = build(rows, self._given, self._modules, actions)
        not_allowed = refused(program.asks, self._allow, rows)
        if not_allowed:
            raise ProgramError(not_allowed)
        refuse_disagreement(begins)
        self._program, self._turns = program, begins
        nodes = {name: self._node(spec) for name, spec in program.nodes.items()}
        self.node_table = nodes
        self.lettered = lettered_groups(program, nodes)

    def _node(self, spec: NodeSpec) -> Node:
        if spec.action.name == "python_function" and spec.plan is not None:
            return AwaitingPython(spec, self)
        cls = self._actions.get(spec.action.name) or NODE_CLASSES[spec.action.name]
        return cls(spec, self)

    # ------------------------------------------------------------------ reading

    @property
    def program(self) -> Program:
        """The compiled program."""
        if self._program is None:
            raise RunError("this bot has no program yet. Call add_node(…) and update(), or autograph.load(…).")
        return self._program

    @property
    def nodes(self) -> Mapping[str, Node]:
        """Name to node; ``node.instruction`` is the source text."""
        return MappingProxyType(self.node_table)

    @property
    def config(self) -> AutographConfig:
        """The configuration in force: what was given, over the sheet's own, over the defaults."""
        return self.program.config

    @property
    def trust(self) -> str:
        """``own``, or ``untrusted`` if the turns run in a locked process."""
        return self._word

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The warnings of loading."""
        return self.program.problems

    @property
    def model(self) -> Model:
        """The model that writes texts."""
        return self._resolve("chatbot")

    @property
    def classifier(self) -> Model:
        """The model that answers questions: its own, else the program's, else the chatbot."""
        return self._resolve("classifier")

    def _resolve(self, role: str) -> Model:
        wanted = self._wanted[role]
        from_program = wanted is None and role not in self._given.given
        if wanted is None:
            wanted = getattr(self.config, role)
        if wanted is None and role == "classifier":
            return self._resolve("chatbot")
        if wanted is not None and not isinstance(wanted, str):
            return wanted
        return self.model_of(wanted or "auto", from_program=from_program)

    def _refuse_bad_model(self, wanted: Any) -> None:
        """Raise ``ModelError`` at once for what is no model, not in the middle of a conversation."""
        from autograph.models.resolve import resolve_model

        if isinstance(wanted, str):
            self.model_of(wanted, from_program=False)
        else:
            resolve_model(wanted)

    def model_of(self, spec: str, *, from_program: bool = True) -> Model:
        """The model behind a model string; made once and kept.

        ``from_program``: the string stands in the program, which may be a stranger's; the user's key is
        then not sent to a server that the program names.
        """
        found = self._models.get((spec, from_program))
        if found is None:
            if from_program:
                refuse_model(spec, self.trust)
            from autograph.models.resolve import resolve_model

            options: dict[str, Any] = {"notify": self._notify} if self._notify else {}
            found = resolve_model(spec, from_program=from_program, **options)
            found = self._models.setdefault((spec, from_program), found)
        return found

    # ------------------------------------------------------------------ one turn

    def start(self, variables: Mapping[str, Any] | None = None) -> MemoryObject:
        """A fresh memory, with variables set. Nothing is said yet: ``reply("", memory)`` begins."""
        memory = MemoryObject()
        memory.stack.append(base_level(self.config, variables or {}))
        return memory

    def start_run(self, memory: MemoryObject | None, **options: Any) -> Run:
        """The desk of a turn that continues ``memory`` (None: a fresh one)."""
        if options and (unknown := options.keys() - OPTIONS):
            raise TypeError(f"there is no option {sorted(unknown)[0]!r}; the options are {', '.join(OPTIONS)}")
        run = Run(self, memory or MemoryObject(), **options)
        if not run.memory.stack:
            run.memory.begin(base_level(self.config, {}))
        if self.program.renamed:
            run.memory.rename(self.program.renamed)
        return run

    def reply(
        self, user_reply: str = "", memory: MemoryObject | None = None, *, set_state: str | None = None, **options: Any
    ) -> tuple[str, MemoryObject]:
        """One turn: the reply, and the memory after it. ``memory`` is left as it was.

        ``set_state``: the node to enter instead of going on from the present one. ``options``:
        ``context`` (given to host functions that ask for it), ``timeout`` (seconds), ``on_event``, ``debug``
        (called with a ``Paused`` before each node runs; see ``interpreter.debugging``).
        Raises ``RunError``, ``ModelError``; saying the same again is then safe.
        """
        run, loop = self._turns.begin_turn(self, user_reply, memory, set_state, options)
        drive(loop)
        return finish_turn(run, user_reply)

    async def areply(
        self, user_reply: str = "", memory: MemoryObject | None = None, *, set_state: str | None = None, **options: Any
    ) -> tuple[str, MemoryObject]:
        """As ``reply``, for asynchronous programs."""
        run, loop = self._turns.begin_turn(self, user_reply, memory, set_state, options)
        await drive_async(loop)
        return finish_turn(run, user_reply)

    def stream(
        self, user_reply: str = "", memory: MemoryObject | None = None, *, set_state: str | None = None, **options: Any
    ) -> StreamedReply:
        """As ``reply``, piece by piece; ``.memory`` and ``.reply`` hold the result after the last piece."""
        run, loop = self._turns.begin_turn(self, user_reply, memory, set_state, options)
        return StreamedReply(loop, run, lambda: finish_turn(run, user_reply))

    def astream(
        self, user_reply: str = "", memory: MemoryObject | None = None, *, set_state: str | None = None, **options: Any
    ) -> AsyncStreamedReply:
        """As ``stream``, for asynchronous programs."""
        run, loop = self._turns.begin_turn(self, user_reply, memory, set_state, options)
        return AsyncStreamedReply(loop, run, lambda: finish_turn(run, user_reply))

    # ------------------------------------------------------------------ one call

    def apply_fn(
        self,
        entry: str,
        args: Any = (),
        *,
        memory: MemoryObject | None = None,
        function_type: str = "local",
        return_memory: bool = False,
        **options: Any,
    ) -> Any:
        """Call a function of the program and give its value, or ``(value, memory)``.

        ``args`` are positional (a sequence) or by name (a mapping). ``normal`` and ``global`` calls
        read ``memory``, which is left as it was. A node that speaks to the user is an error.
        """
        run, loop = self._turns.begin_call(self, entry, args, memory, function_type, options)
        drive(loop)
        return finish_call(run, return_memory)

    async def aapply_fn(
        self,
        entry: str,
        args: Any = (),
        *,
        memory: MemoryObject | None = None,
        function_type: str = "local",
        return_memory: bool = False,
        **options: Any,
    ) -> Any:
        """As ``apply_fn``, for asynchronous programs."""
        run, loop = self._turns.begin_call(self, entry, args, memory, function_type, options)
        await drive_async(loop)
        return finish_call(run, return_memory)

    # ------------------------------------------------------------------ simulated users

    def simulate_user(self, memory: MemoryObject, *, seed: int | None = None, **options: Any) -> tuple[str, str]:
        """What a simulated user says next, and the transition it aims at (as written, or an interjection's node).

        The text is ``config.end_signal`` where the sheet says that the user ends. With ``seed`` (default
        ``config.seed``) the same memory gives the same draw.
        """
        run, loop = self._turns.begin_simulation(self, memory, seed, options)
        drive(loop)
        return run.reply or "", run.result

    async def asimulate_user(self, memory: MemoryObject, *, seed: int | None = None, **options: Any) -> tuple[str, str]:
        """As ``simulate_user``, for asynchronous programs."""
        run, loop = self._turns.begin_simulation(self, memory, seed, options)
        await drive_async(loop)
        return run.reply or "", run.result

    # ------------------------------------------------------------------

    def __iter__(self) -> Iterator[Node]:
        return iter(self.node_table.values())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """What a notebook shows: the program's picture."""
        if self._program is None:
            return {"text/plain": repr(self)}
        from autograph.graph import draw

        return {**draw(self._program)._repr_mimebundle_(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<Autograph {self._program!r}>" if self._program else "<Autograph without a program>"


def _configuration(given: AutographConfig | Mapping[str, Any] | None) -> AutographConfig:
    """``config=`` as an object; a mapping of settings will do. Raises ``AutographError`` for an unknown setting."""
    if given is None or isinstance(given, AutographConfig):
        return given or AutographConfig()
    known = [field.name for field in fields(AutographConfig)]
    unknown = [name for name in given if name not in known]
    if unknown:
        raise AutographError(f'there is no setting "{unknown[0]}". {did_you_mean(str(unknown[0]), known)}'.rstrip())
    return AutographConfig(**given)
