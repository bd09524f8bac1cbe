"""How is ``autograph eval scenarios`` run? Read, hold what is lacking, show; the exit code says if it was enough."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import click

from autograph.cli.eval_scenarios import ScenarioOptions
from autograph.cli.exits import FOUND, GOOD
from autograph.cli.options import read_config, read_hosts, read_model
from autograph.cli.progress import ProgressLine
from autograph.cli.render import json_line
from autograph.cli.report import report, report_faults
from autograph.cli.scenario_table import limit_lines, scenarios_text, too_low
from autograph.cli.style import page_of
from autograph.cli.writing import refuse_picture, refuse_unwritable
from autograph.config import AutographConfig
from autograph.errors import AutographError
from autograph.evaluation.fault import DataError
from autograph.evaluation.manifest import digest_of, manifest
from autograph.evaluation.many import AT_ONCE
from autograph.evaluation.pydialogue.results_file import FORMAT, VERSION, Run, read_results, write_results
from autograph.evaluation.scenarios.bots import ScenarioBot, scenario_bot
from autograph.evaluation.scenarios.files import read_scenarios
from autograph.evaluation.scenarios.result import Held, compared, held_of, run_of, summary_of
from autograph.evaluation.scenarios.run import Rounds, Terms, digest_of_run, rounds_of, run_scenarios
from autograph.evaluation.scenarios.scenario import ProgramUser, Scenario
from autograph.evaluation.understanding.examined import describe
from autograph.memory import MemoryObject

__all__ = ["evaluate"]

_EVERY = 2.0
"""Seconds between two times that results are saved."""


def evaluate(options: ScenarioOptions) -> int:
    """Do what the options say; the exit code. Raises ``click.UsageError``, ``KeyboardInterrupt``."""
    _refuse_odd(options)
    try:
        scenarios = read_scenarios(options.file)
        rounds = rounds_of(scenarios, options.seed, options.repeat, options.warm_up, options.shuffle)
        _refuse_warm_up(options, rounds)
        runs = _Evaluation(options, scenarios, rounds).run()
        return _show(runs, options, rounds)
    except DataError as error:
        return report_faults(error, as_json=options.as_json, no_colour=options.no_colour)
    except AutographError as error:
        return report(error, as_json=options.as_json, no_colour=options.no_colour)


def _refuse_odd(options: ScenarioOptions) -> None:
    twice = next((name for name in options.programs if options.programs.count(name) > 1), None)
    if twice is not None:
        raise click.UsageError(f"--program: {twice} is named twice.")
    if options.resume and options.out is None:
        raise click.UsageError("--resume goes with --out FILE.json: it says where the results are.")
    if options.sure and options.fail_under is None:
        raise click.UsageError("--sure goes with --fail-under SHARE.")
    if options.continuous and options.at_once not in (None, 1):
        raise click.UsageError("--continuous holds one conversation after the other: leave --at-once out.")
    refuse_unwritable("--out", options.out)
    refuse_picture("--plot", options.plot)


def _refuse_warm_up(options: ScenarioOptions, rounds: Rounds) -> None:
    if len(rounds.warm_up) < options.warm_up:
        number = len(rounds.warm_up) + len(rounds.counted)
        raise click.UsageError(
            f"--warm-up {options.warm_up} leaves none of {number} conversations to be counted. Hold more with --repeat."
        )


# ---------------------------------------------------------------------- holding


@dataclass(slots=True)
class _Saved:
    """What the file of results holds (``path`` None: there is none); it is written now and then, and in the end."""

    path: Path | None
    runs: dict[str, Run]
    last: float = 0.0

    @property
    def due(self) -> bool:
        """Whether it is time to write."""
        return self.path is not None and monotonic() - self.last >= _EVERY

    def put(self, run: Run) -> None:
        """Keep the run, and write what there is."""
        self.runs[run.id] = run
        if self.path is not None:
            write_results(self.path, self.runs.values())
            self.last = monotonic()


@dataclass(slots=True)
class _Progress:
    """The line that shows how far it is, over the conversations of all programs."""

    line: ProgressLine
    held: int = 0
    succeeded: int = 0

    def one(self, held: Held) -> None:
        """One more has ended."""
        self.held += 1
        self.succeeded += held.success is True
        self.line.update(self.held, self.succeeded)


class _Evaluation:
    """The conversations of all programs. Raises ``ProgramError``, ``ModelError``, ``ResultsError``."""

    def __init__(self, options: ScenarioOptions, scenarios: Sequence[Scenario], rounds: Rounds) -> None:
        self._options, self._scenarios, self._rounds = options, scenarios, rounds
        self._loading: dict[str, Any] = {
            "config": read_config(options.config, options.seed),
            "modules": read_hosts(options.hosts),
            "allow": [name.strip() for names in options.allow for name in names.split(",") if name.strip()] or None,
            "trust": None if options.untrusted is None else ("untrusted" if options.untrusted else "own"),
            "model": read_model(options.model, "chatbot", _notify),
            "classifier": read_model(options.classifier, "classifier", _notify),
            "notify": _notify,
        }
        user_model = read_model(options.user_model, "user model", _notify)
        names = (options.model, options.classifier, options.user_model)
        scripted = any(name is not None and name.startswith("scripted:") for name in names)
        self._terms = Terms(
            not options.continuous, user_model, options.at_once or (1 if scripted else AT_ONCE), self._other
        )
        self._saved = _Saved(options.out, self._read())

    def _read(self) -> dict[str, Run]:
        path = self._options.out
        if not self._options.resume or path is None or not path.exists():
            return {}
        return {run.id: run for run in read_results(path)}

    def _other(self, path: Path) -> ScenarioBot:
        """A program that plays a user or is a reference: with the models of the programs, but not their settings."""
        plain = {**self._loading, "config": AutographConfig(seed=self._options.seed)}
        return scenario_bot(str(path), **plain)

    def run(self) -> dict[str, Run]:
        """The run of each program, by its name."""
        bots = {name: scenario_bot(name, **self._loading) for name in self._options.programs}
        begun = {name: self._begun(name, bot) for name, bot in bots.items()}
        earlier, total = sum(len(run.conversations) for run in begun.values()), len(bots) * len(self._rounds.counted)
        line = ProgressLine(sys.stderr, total, earlier, shown=not self._options.as_json)
        progress = _Progress(line)
        try:
            return {name: self._held(bots[name], begun[name], progress) for name in bots}
        finally:
            line.close()

    def _begun(self, name: str, bot: ScenarioBot) -> Run:
        """The run of a program as far as it has come: empty, or as the file has it."""
        options = self._options
        decides = {
            "seed": options.seed, "repeat": options.repeat, "shuffle": options.shuffle, "warm_up": options.warm_up,
            "continuous": options.continuous, "model": options.model or describe(bot.model),
            "classifier": options.classifier or describe(bot.classifier), "user_model": options.user_model,
        }  # fmt: skip
        data, fingerprint = digest_of(options.file), bot.program.fingerprint
        others = [self._terms.bot_of(path).program.fingerprint for path in _paths(self._scenarios)]
        run_id = digest_of_run(fingerprint, data, others, sorted(decides.items(), key=str), options.config)
        about = manifest(name, fingerprint, data, (str(decides["model"]),), decides).to_dict()
        return self._saved.runs.get(run_id) or Run((), {}, {}, run_id, {"program": name, **about})

    def _held(self, bot: ScenarioBot, begun: Run, progress: _Progress) -> Run:
        done = {held.index: held for held in held_of(begun)}
        left = {"memory": begun.metadata.get("memory")}
        about = {key: value for key, value in begun.metadata.items() if key != "memory"}

        def so_far() -> Run:
            """What can be gone on with: the memory, too, if it is one for all conversations."""
            metadata = {**about, **left} if left["memory"] else about
            return run_of(sorted(done.values(), key=_number), begun.id, metadata)

        def keep(held: Held, memory: MemoryObject | None) -> None:
            done[held.index] = held
            left["memory"] = memory.to_dict() if memory is not None and self._options.continuous else None
            progress.one(held)
            if self._saved.due:
                self._saved.put(so_far())

        try:
            memory = left["memory"] and MemoryObject.from_dict(left["memory"])
            run_scenarios(bot, self._rounds, self._terms, done=dict(done), memory=memory or None, keep=keep)
        except BaseException:
            self._saved.put(so_far())
            raise
        finished = run_of(sorted(done.values(), key=_number), begun.id, about)
        self._saved.put(finished)
        return finished


def _number(held: Held) -> int:
    return held.index


def _paths(scenarios: Sequence[Scenario]) -> list[Path]:
    """The programs that play users or are references."""
    found = [scenario.user.path for scenario in scenarios if isinstance(scenario.user, ProgramUser)]
    found += [scenario.reference for scenario in scenarios if scenario.reference is not None]
    return list(dict.fromkeys(found))


def _notify(text: str) -> None:
    click.echo(text, err=True)


# ---------------------------------------------------------------------- showing


def _show(runs: Mapping[str, Run], options: ScenarioOptions, rounds: Rounds) -> int:
    held = {name: held_of(run) for name, run in runs.items()}
    comparisons = compared(held)
    page = page_of(sys.stdout, no_colour=options.no_colour)
    if options.as_json:
        click.echo(
            json_line(
                {
                    "format": FORMAT,
                    "version": VERSION,
                    "runs": [run.to_dict() for run in runs.values()],
                    "programs": {name: summary_of(each) for name, each in held.items()},
                    "comparisons": [found.to_dict() for found in comparisons],
                    "fail_under": options.fail_under,
                }
            )
        )
    else:
        text = scenarios_text(held, comparisons, _title(options, rounds), page, every=options.every)
        click.echo(text, color=page.style.colour)
    _written(held, options)
    if options.fail_under is None:
        return GOOD
    if not options.as_json:
        click.echo("\n" + "\n".join(limit_lines(held, options.fail_under, page)), color=page.style.colour)
    return FOUND if any(too_low(each, options.fail_under, options.sure) for each in held.values()) else GOOD


def _written(held: Mapping[str, Sequence[Held]], options: ScenarioOptions) -> None:
    """Draw the picture, and tell which files there are. Raises ``PlotError``."""
    if options.out is not None:
        click.echo(f"Wrote {options.out}.", err=True)
    if options.plot is not None:
        from autograph.evaluation.scenarios.plot import plot_scenarios

        plot_scenarios(held, options.plot)
        click.echo(f"Wrote {options.plot}.", err=True)


def _title(options: ScenarioOptions, rounds: Rounds) -> str:
    number = len(rounds.counted)
    counted = f"{number} conversation{'s' if number > 1 else ''}"
    parts = [str(options.file), counted, f"seed {options.seed}"]
    if rounds.warm_up:
        parts.append(f"{len(rounds.warm_up)} to warm up")
    parts.append("one memory" if options.continuous else "each by itself")
    return " · ".join(parts)
