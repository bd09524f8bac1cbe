"""Who takes part in a simulation? Programs, models, users and terms, as the options of ``autograph simulate`` say."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path, PurePath
from typing import Any

import click

from autograph.cli.budget import read_budget
from autograph.cli.options import read_config, read_hosts, read_model, read_variables
from autograph.cli.resuming import kept_options
from autograph.cli.simulate import SimulateOptions
from autograph.errors import ModelError
from autograph.interpreter.loading import read_source
from autograph.interpreter.trust import trust_of
from autograph.models.base import Model
from autograph.models.limited import Allowance, LimitedModel
from autograph.models.prices import read_prices
from autograph.simulation.cast import CastBot, Stage
from autograph.simulation.conversation import Case, Terms
from autograph.simulation.fingerprint import fingerprint
from autograph.simulation.personas import Persona, PersonaError, digest, read_personas
from autograph.simulation.record import Manifest
from autograph.simulation.runner import cases_of
from autograph.simulation.success import SuccessError, SuccessTest
from autograph.simulation.users import MakeUser, pick_user
from autograph.version import __version__

__all__ = ["Plan", "plans_of"]

Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """One run: how conversations are held, which ones, and what the manifest says of them."""

    terms: Terms
    cases: list[Case]
    manifest: Manifest
    allowance: Allowance


@dataclass(frozen=True, slots=True)
class _Shared:
    """What the runs of one command have in common."""

    options: SimulateOptions
    notify: Notify
    kind: str
    personas: tuple[Persona, ...]
    success: SuccessTest
    persona_success: dict[str, SuccessTest]
    variables: dict[str, Any]
    prices: dict[str, float] | None
    allowance: Allowance
    stage: Stage
    models: dict[str, Model | None]


def plans_of(options: SimulateOptions, notify: Notify) -> tuple[Plan, Plan | None]:
    """The run of the program, and that of the one it is compared with.

    Raises ``click.UsageError``, ``ProgramError``, ``ModelError``.
    """
    shared = _shared(options, notify)
    return _plan(shared, options.program), _plan(shared, options.compare) if options.compare else None


def _shared(options: SimulateOptions, notify: Notify) -> _Shared:
    try:
        personas = read_personas(options.personas) if options.personas else ()
        success = SuccessTest(options.success)
        own = {p.name: SuccessTest(p.success, f'persona "{p.name}", success') for p in personas if p.success}
        prices = _prices(options)
    except (PersonaError, SuccessError) as error:
        raise click.UsageError(str(error)) from None
    tokens, cost = read_budget(options.budget, priced=prices is not None)
    allowance = Allowance(per_minute=options.rate, budget_tokens=tokens, budget_cost=cost, prices=prices)
    models = {
        role: read_model(getattr(options, role), role.replace("_", " "), notify)
        for role in ("model", "classifier", "user_model")
    }
    return _Shared(
        options, notify, _kind(options), personas, success, own, read_variables(options.variables), prices,
        allowance, Stage(change=_change(options, allowance)), models,
    )  # fmt: skip


def _prices(options: SimulateOptions) -> dict[str, float] | None:
    try:
        return read_prices(options.price) if options.price else None
    except ModelError as error:
        raise click.UsageError(f"--price: {error}") from None


def _kind(options: SimulateOptions) -> str:
    """``sheet``, ``model`` or ``program``. Raises ``click.UsageError`` for options that do not go together."""
    kind = options.user or ("model" if options.personas else "sheet")
    if kind not in ("sheet", "model"):
        if not Path(kind.partition("#")[0]).is_file() and "://" not in kind:
            raise click.UsageError(f'--user: "{kind}" is neither sheet nor model, and there is no such file.')
        kind = "program"
    if options.personas and kind != "model":
        raise click.UsageError("--personas are played by a model: leave --user out, or write --user model.")
    if options.record in ("new", "all") and not options.recording:
        raise click.UsageError(f"--record {options.record} needs a file to record into: add --recording FILE.")
    if options.record in ("new", "all") and options.repeat > 1:
        raise click.UsageError(
            "--repeat shows what differs when the same is asked again, and a recording answers the same: "
            "leave out --record, or --repeat."
        )
    return kind


def _change(options: SimulateOptions, allowance: Allowance) -> Callable[[Model], Model]:
    """What is laid around each model: the limits, and the recording around them, since a replay costs nothing."""
    from autograph.models.recorded import RecordedModel

    mode: Any = options.record or "none"

    def change(model: Model) -> Model:
        if isinstance(model, RecordedModel):
            return model
        if options.recording and mode == "none":
            return RecordedModel(options.recording)
        limited = LimitedModel(model, shared=allowance)
        return RecordedModel(options.recording, limited, mode) if options.recording else limited

    return change


# ---------------------------------------------------------------------- one run


def _plan(shared: _Shared, source: str) -> Plan:
    options = shared.options
    bot = _bot(shared, source, shared.models["model"])
    make_user, user, speaks = _user(shared, source, bot)
    terms = Terms(
        bot,
        make_user,
        shared.success,
        shared.persona_success,
        options.max_turns,
        options.stuck_after,
        shared.variables,
        shared.prices,
    )
    bot.start(shared.variables)  # names that cannot be variables are refused before anything is begun
    manifest = Manifest(
        program=_name(source),
        fingerprint=fingerprint(bot.program),
        source=source,
        models={"chatbot": _described(bot.model), "classifier": _described(bot.classifier), "user": _described(speaks)},
        user=user,
        personas=digest(shared.personas),
        seed=options.seed,
        n=options.n,
        repeat=options.repeat,
        max_turns=options.max_turns,
        success=options.success,
        prices=shared.prices,
        options={"stuck_after": options.stuck_after, "variables": shared.variables, "trust": bot.trust},
        autograph=__version__,
        python=platform.python_version(),
        date=_today(),
        command=kept_options(options),
    )
    cases = cases_of(options.seed, options.n, options.repeat, shared.personas)
    return Plan(terms, cases, manifest, shared.allowance)


def _bot(shared: _Shared, source: str, model: Any, *, by_user: bool = False) -> CastBot:
    """A program of the run; the one that plays the user has the options of models, but not the settings."""
    options = shared.options
    trust = trust_of(source, None if options.untrusted is None else "untrusted" if options.untrusted else "own")
    read = read_source(source, trust=trust)
    allowed = (name.strip() for names in options.allow for name in names.split(",") if name.strip())
    return CastBot.of(
        read,
        shared.stage,
        by_user=by_user,
        config=read_config(() if by_user else options.config, None),
        model=model,
        classifier=shared.models["classifier"],
        notify=shared.notify,
        modules={**read.modules, **read_hosts(options.hosts)},
        trust=trust,
        allow=(*allowed, *read.modules),
    )


def _user(shared: _Shared, source: str, bot: CastBot) -> tuple[MakeUser, str, Model]:
    """How users are made, what the manifest calls them, and the model that speaks for them."""
    own = shared.models["user_model"]
    if shared.kind == "program":
        name = str(shared.options.user)
        other = _bot(shared, name, own or shared.models["model"], by_user=True)
        called = f"{_name(name)} ({fingerprint(other.program)})"
        return pick_user("program", bot=other, model=None, personas=False), called, other.model
    if shared.kind == "model":
        speaks = bot.watched(own) if own is not None else bot.model
        return pick_user("model", bot=bot, model=speaks, personas=True), "model", speaks
    speaker = bot if own is None else _bot(shared, source, own)
    return pick_user("sheet", bot=speaker, model=None, personas=False), "sheet", speaker.model


def _name(source: str) -> str:
    """The program's name: that of its file, without the folder and the ending."""
    path, _, sheet = source.partition("#")
    name = path.rstrip("/").rpartition("/")[2] if "://" in path else PurePath(path).stem
    return f"{name} · {sheet}" if sheet else name


def _described(model: Model) -> str:
    return str(getattr(model, "describe", type(model).__name__))


def _today() -> str:
    """The date; ``SOURCE_DATE_EPOCH`` sets it, for results that are to be the same on any day."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    if fixed.isdigit():
        return datetime.fromtimestamp(int(fixed), UTC).date().isoformat()
    return date.today().isoformat()


def default_folder(manifest: Manifest) -> Path:
    """``simulations/NAME-DATE-SEED``; with a number if there is such a run already."""
    name = "".join(c if c.isalnum() or c in "._-" else "-" for c in manifest.program)
    first = Path("simulations") / f"{name}-{manifest.date}-{manifest.seed}"
    tries = (first if k == 1 else first.with_name(f"{first.name}-{k}") for k in range(1, sys.maxsize))
    return next(path for path in tries if not path.exists())
