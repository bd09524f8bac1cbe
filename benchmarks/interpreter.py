"""How quick is autograph? Runs every comparison and says which bars hold.

    python benchmarks/interpreter.py [--quick] [--json] [--write] [--check]

README.md beside this file says what is compared with what, and why that is fair.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import history
import loading
import speed
import startup
from report import Report, markdown, plain, text
from sections import put

HERE = Path(__file__).parent
PACKAGES = ("autograph-bots", "transitions", "apache-burr", "langgraph")


def main() -> int:
    """Run the comparisons and print the report; 1 with ``--check`` if a ratio bar fails, else 0."""
    options = arguments()
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        os.environ.pop(name, None)  # with these LangGraph would send each step to a server
    report = measure_all(quick=options.quick)
    print(json.dumps(plain(report), ensure_ascii=False, indent=2) if options.json else text(report))
    if options.write:
        put("interpreter", markdown(report))
    for bar in report.failed():
        print(f"FAILS: {bar.name}", file=sys.stderr)
    return 1 if options.check and report.failed() else 0


def arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description="Compare autograph's speed with a bare loop's and other frameworks'.")
    parser.add_argument("--quick", action="store_true", help="few and short samples, for continuous integration")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--write", action="store_true", help="write the report to RESULTS.md as well")
    parser.add_argument("--check", action="store_true", help="exit code 1 if a ratio bar fails")
    return parser.parse_args()


def measure_all(*, quick: bool) -> Report:
    """All comparisons, one after the other."""
    rounds, seconds, processes = (5, 0.005, 1) if quick else (15, 0.05, 7)
    report = Report(about(rounds, seconds))
    for table, bars in (speed.counter(rounds, seconds), speed.turns(rounds, seconds)):
        report.tables.append(table)
        report.bars.extend(bars)
    long = (*history.exact_turns(rounds, seconds), history.model_turns(rounds, seconds))
    for table, bar in (*speed.functions(rounds, seconds), *long):
        report.tables.append(table)
        report.bars.append(bar)
    report.bars.extend(loading.bars(min(processes, 3)))
    report.bars.extend(startup.bars(processes))
    return report


def about(rounds: int, seconds: float) -> dict[str, str]:
    """When, where and with what."""
    return {
        "date": date.today().isoformat(),
        "commit": commit(),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "CPU": f"{cpu()}, {platform.system()} {platform.machine()}",
        "packages": ", ".join(f"{name} {installed(name)}" for name in PACKAGES),
        "samples": f"{rounds} rounds, {1000 * seconds:g} ms of CPU for each contestant in a round",
    }


def commit() -> str:
    """The commit measured, with a plus if the tree differs from it."""
    command = ["git", "-C", str(HERE), "describe", "--always", "--abbrev=10", "--exclude=*", "--dirty=+"]
    try:
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def installed(name: str) -> str:
    """The version of a distribution."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def cpu() -> str:
    """The processor's name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]} ({len(names)} cores)" if names else platform.processor() or "unknown"


if __name__ == "__main__":
    sys.exit(main())
