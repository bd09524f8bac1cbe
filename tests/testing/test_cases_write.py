"""Tests written as YAML: they read back as the same tests, and look as a person would write them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograph.errors import AutographError
from autograph.testing.case import Call, Case, CaseTurn, Expectation, Script
from autograph.testing.keys import OTHERS
from autograph.testing.kinds import KINDS, NEGATED
from autograph.testing.read_yaml import parse_cases
from autograph.testing.write import case_yaml, suite_yaml

# Control characters are refused in files.
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\t\n"), max_size=20)
hard = st.sampled_from(
    ["yes", "no", "null", "true", "5", "007", "1.5", "", " ", "a: b", "a #b", "- a", "[a]", "{a}", "#x", "'q'", '"q"',
     "a\nb", "a\n\nb\n", "a\n b", "\na", "a\n", "*", "&x", "!t", "%", "@", "`", "|", ">", "a:", "?", "ключ", "日本",
     "🙂", "a,b", "\ttab", "a\u00a0b", "\u2028", "\ufeff", "...", "---", "~", "=", "<= 2", ".5", "1e5", "x" * 200]
)  # fmt: skip
anything = texts | hard
filled = anything.map(str.strip).filter(bool)
names = st.sampled_from(["ask", "help", "f()", "p.1", "node two", "yes", "5"])
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | anything
# "<<" is refused as a key in any file of autograph.
keys = anything.filter(lambda text: text != "<<" and not text.startswith("#"))
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=4
)
variables = st.dictionaries(st.sampled_from(["a", "name", "yes", "x1", "été"]), values, max_size=3)
answers = st.integers(0, 9) | anything
answers |= st.tuples(answers, st.floats(0, 1))
comparisons = st.sampled_from(["== 2", "<= 2", "!= 0.5", "> 1e-3"])


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    nodes = st.sampled_from(["ask", "help", "interjections", "f()"])
    replies, spoken = tuple(draw(st.lists(anything, max_size=3))), draw(st.lists(answers, max_size=3).map(tuple))
    node_replies = draw(st.dictionaries(nodes, st.lists(anything, max_size=3).map(tuple), max_size=2))
    node_answers = draw(st.dictionaries(nodes, st.lists(answers, max_size=3).map(tuple), max_size=2))
    return Script(replies, spoken, node_replies, node_answers)


def several(item: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(item, min_size=1, max_size=3, unique=True).map(tuple)


SHAPES: dict[str, st.SearchStrategy[Any]] = {
    "texts": several(filled),
    "patterns": several(st.sampled_from(["a+", "^x$", "(?i)b", "[abc]", "\\d: 5", "a#b"])),
    "names": several(names),
    "path": st.lists(names, max_size=4).map(tuple),
    "vars": st.lists(st.tuples(keys, values), min_size=1, max_size=3, unique_by=lambda pair: pair[0]).map(tuple)
    | several(st.sampled_from(["a > 1", "name == 'Ada'", "yes", "{1: 2}[1]"])),
    "flag": st.booleans(),
    "number": several(comparisons),
    "error": st.dictionaries(st.sampled_from(["class", "contains", "node"]), anything, max_size=3),
    "value": values,
}


@st.composite
def expectations(draw: st.DrawFn, place: str) -> tuple[Expectation, ...]:
    kinds = [kind for kind in KINDS.values() if getattr(kind, place) and kind.name != "time"]
    plain = draw(st.lists(st.sampled_from(kinds), unique=True, max_size=4))
    denied = draw(st.lists(st.sampled_from([kind for kind in kinds if kind.negatable]), unique=True, max_size=2))
    short = [kind for kind in denied if kind.name in NEGATED.values()]
    ordered = [(kind, False) for kind in plain] + [(k, True) for k in short]
    ordered += [(kind, True) for kind in denied if kind not in short]
    return tuple(Expectation(kind.name, draw(SHAPES[kind.shape]), 0, negated) for kind, negated in ordered)


@st.composite
def turns(draw: st.DrawFn) -> tuple[CaseTurn, ...]:
    count = draw(st.integers(1, 3))
    found = []
    for number in range(count):
        say = draw(anything if number else anything | st.none())
        found.append(CaseTurn(say, draw(expectations("turn")), draw(scripts() | st.just(Script()))))
    return tuple(found)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    name = " ".join(draw(filled).split()) or "x"
    config = draw(st.dictionaries(st.sampled_from(["max_steps", "agent_name"]), scalars, max_size=2))
    common: dict[str, Any] = {
        "name": name,
        "config": config,
        "live": draw(st.booleans()),
        "unused": draw(st.booleans()),
    }
    if draw(st.booleans()):
        common["script"] = draw(scripts())
    else:
        common["model"] = draw(st.none() | st.sampled_from(["offline", "openai:gpt-5@http://a", "recorded:x y.jsonl"]))
    if draw(st.booleans()):
        args = draw(st.lists(values, max_size=3).map(tuple) | st.dictionaries(keys, values, max_size=2))
        call = Call(draw(st.sampled_from(["f()", "g"])), args, draw(st.sampled_from(["local", "normal", "global"])))
        seen = {} if call.scope == "local" else draw(variables)
        return Case(call=call, variables=seen, expect=draw(expectations("call")), **common)
    spoken = draw(turns())
    if any(turn.script for turn in spoken):
        common["model"] = None
    start = draw(st.none() | names)
    return Case(
        turns=spoken, start=start, variables=draw(variables), expect=draw(expectations("whole")), **common
    )  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written")
    (folder / "demo.csv").write_text("name,action\n")
    return folder / "demo.chat.yaml"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case=cases())
def test_what_is_written_reads_back(case: Case, place: Path) -> None:
    assert parse_cases(case_yaml(case), place).cases == (case,)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(first=cases(), second=cases())
def test_a_whole_file(first: Case, second: Case, place: Path) -> None:
    if first.name != second.name:
        text = suite_yaml([first, second], program="demo.csv")
        assert parse_cases(text, place).cases == (first, second)


def test_it_looks_as_a_person_writes() -> None:
    case = Case(
        name="Gives a hint: twice",
        start="ask",
        variables={"name": "Ada", "items": [1, "2"]},
        script=Script(("Hi!", "Yes: 5"), ("B", 0, ("B", 0.4)), {}, {"ask": ("A",), "help": ("B", "C")}),
        turns=(
            CaseTurn(None, (Expectation("reply", ("Hello!\nHow are you?",)), Expectation("silent", True))),
            CaseTurn(
                "hint please",
                (
                    Expectation("contains", ("numerator",)),
                    Expectation("path", ("help", "ask")),
                    Expectation("vars", (("name", "Ada"), ("len(items)", 2))),
                    Expectation("calls", ("<= 2",)),
                    Expectation("node", ("bye",), negated=True),
                ),
                Script(("One more.",)),
            ),
        ),
        expect=(Expectation("finished", False),),
    )
    text = """\
- test: "Gives a hint: twice"
  start: ask
  variables: {name: Ada, items: [1, "2"]}
  replies: [Hi!, "Yes: 5"]
  answers:
    ask: A
    help: [B, C]
    "*": [B, 0, [B, 0.4]]
  turns:
    - expect:
        reply: |-
          Hello!
          How are you?
        silent: true
    - say: hint please
      replies: [One more.]
      expect:
        contains: numerator
        path: [help, ask]
        vars: {name: Ada, len(items): 2}
        calls: "<= 2"
        not:
          node: bye
  expect:
    finished: false
"""
    assert case_yaml(case) == text
    assert OTHERS == "*"


def test_expectations_of_one_kind_become_one() -> None:
    twice = (Expectation("contains", ("a",)), Expectation("contains", ("b", "a")))
    assert "contains: [a, b]" in case_yaml(Case("x", turns=(CaseTurn("s", twice),)))
    clash = (Expectation("path", ("a",)), Expectation("path", ("b",)))
    with pytest.raises(AutographError, match="`path` is expected twice"):
        case_yaml(Case("x", turns=(CaseTurn("s", clash),)))


def test_values_that_yaml_cannot_hold() -> None:
    with pytest.raises(AutographError, match="a value of type set cannot be written into a test"):
        case_yaml(Case("x", variables={"a": {1}}, turns=(CaseTurn("s"),)))
