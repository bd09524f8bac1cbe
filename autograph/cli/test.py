"""What can be asked for with ``autograph test``? The options; ``testing`` does what they say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import click

__all__ = ["TestOptions", "test"]

_EPILOG = """\b
Examples:
  autograph test
  autograph test programs/tutor.csv -v
  autograph test programs/ -k hint -x
  autograph test --coverage --fail-under nodes=100,transitions=95
  autograph test --junit results.xml
  autograph test --from-conversation talk.json -o programs/tutor.chat.yaml --append
  autograph test programs/ --mutate

\b
Exit codes: 0 all passed, 1 a test failed or too little is covered, 2 usage, 65 a file of tests is wrong,
130 Ctrl-C.
"""


@dataclass(frozen=True, slots=True)
class TestOptions:
    """The options of the command line, as click gives them."""

    __test__ = False  # for pytest, which takes the name for a class of tests

    paths: tuple[Path, ...]
    words: tuple[str, ...]
    first: bool
    live: bool
    record: Literal["new", "all", "none"] | None
    coverage: bool
    least: tuple[str, ...]
    coverage_file: Path | None
    append: bool
    junit: Path | None
    mutate: str | None
    mutate_seed: int
    kill_under: float
    jobs: int | None
    as_json: bool
    verbose: bool
    no_colour: bool
    from_conversation: Path | None = None
    program: str | None = None
    output: Path | None = None
    force: bool = False

    @property
    def counts(self) -> bool:
        """Whether coverage is wanted: what only makes sense with it asks for it, too."""
        return self.coverage or bool(self.least) or self.coverage_file is not None or self.append


@click.command(epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("-k", "words", metavar="TEXT", multiple=True,
              help="Only tests with this text in their name or file. May be repeated: any of them.")  # fmt: skip
@click.option("-x", "--exitfirst", "first", is_flag=True, help="Stop at the first test that fails.")
@click.option("--live", is_flag=True, help="Run the tests that ask real models, too.")
@click.option("--record", type=click.Choice(["new", "all", "none"]), help="Ask a real model for what is not recorded "
              "yet, for all of it anew, or for nothing (the default).")  # fmt: skip
@click.option("--coverage", is_flag=True, help="Show which nodes, transitions, answers and conditions the tests reach.")
@click.option("--fail-under", "least", metavar="PERCENT|KIND=PERCENT,…", multiple=True, help="Exit code 1 if less of a "
              "program is covered: of each kind, or as in nodes=100,answers=95.")  # fmt: skip
@click.option("--coverage-file", metavar="JSON", type=click.Path(dir_okay=False, path_type=Path), help="Where the "
              "counts are kept for autograph graph --coverage. Default: .autograph-coverage.json.")  # fmt: skip
@click.option("--append", is_flag=True, help="Add to the counts of earlier runs.")
@click.option("--junit", metavar="XML", type=click.Path(dir_okay=False, path_type=Path),
              help="Write the results for a CI server, too.")  # fmt: skip
@click.option("--mutate", metavar="[N|all]", is_flag=False, flag_value="200", help="Try the tests on N faulty copies "
              "of the programs, 200 if N is left out: which faults do they not notice?")  # fmt: skip
@click.option("--mutate-seed", type=int, default=0, metavar="N", help="Draw other faults. Default: 0.")
@click.option("--kill-under", type=click.FloatRange(0, 100), default=90, metavar="PERCENT",
              help="With --mutate, exit code 1 if fewer faults are noticed. Default: 90.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="With --mutate, how many processes. Default: one for "
              "each processor.")  # fmt: skip
@click.option("--from-conversation", "from_conversation", metavar="FILE", type=click.Path(path_type=Path),
              help="Cut a test out of a saved conversation: of /save, a memory's JSON, or chat --json.")  # fmt: skip
@click.option("--program", metavar="FILE", help="With --from-conversation, the program that it was held with.")
@click.option("-o", "--output", metavar="NAME.chat.yaml", type=click.Path(dir_okay=False, path_type=Path),
              help="Where that test goes. Default: stdout. With --append, behind the tests in it.")  # fmt: skip
@click.option("--force", is_flag=True, help="With -o, overwrite a file that exists.")
@click.option("--json", "as_json", is_flag=True, help="All results as one JSON object.")
@click.option("-v", "--verbose", is_flag=True, help="Name each test, and everything that is not covered.")
@click.option("--no-color", "no_colour", is_flag=True, help="No colours (also NO_COLOR).")
@click.pass_context
def test(context: click.Context, /, **options: Any) -> None:
    """Run conversation tests.

    PATH is a file of tests (NAME.chat.yaml, NAME.tests.csv, a workbook with a sheet "tests"), the program that they
    belong to, or a folder, of which all tests below are run. Without it: the current folder. Models are those of the
    tests' scripts; nothing asks a network without --live or --record.
    """
    chosen = TestOptions(**options)
    if chosen.from_conversation is not None:
        from autograph.cli.cutting import run_cut

        context.exit(run_cut(chosen))
    if chosen.output is not None or chosen.program is not None or chosen.force:
        raise click.UsageError("-o, --program and --force belong to --from-conversation.")
    from autograph.cli.testing import run_test

    context.exit(run_test(chosen))


test.__test__ = False  # type: ignore[attr-defined]
