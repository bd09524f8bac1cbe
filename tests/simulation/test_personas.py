"""The file of personas, and who comes when."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.simulation.personas import Persona, PersonaError, cast_list, digest, read_personas

FULL = """\
- name: Ada
  goal: Book a visit.
  traits: [brief, in a hurry]
  instructions: Ask for mornings.
  success: slot != None
  weight: 3
  max_turns: 8
  opening: Good morning!
- {name: Bo, goal: Get a price}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "people.yaml"
    path.write_text(text, "utf-8")
    return path


def test_a_file_of_personas(tmp_path: Path) -> None:
    assert read_personas(written(tmp_path, FULL)) == (
        Persona(
            "Ada", "Book a visit.", "brief, in a hurry", "Ask for mornings.", "slot != None", 3, 8, "Good morning!"
        ),
        Persona("Bo", "Get a price"),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a list of personas is expected"),
        ("[]", "a list of personas is expected"),
        ("name: Ada", "a list of personas is expected"),
        ("- Ada", "persona 1: a mapping with name and goal is expected, not 'Ada'"),
        ("- {name: Ada}", "persona 1: it has no goal. Say what it wants."),
        ("- {goal: tea}", "persona 1: it has no name. Say who it is."),
        ("- {name: Ada, goal: tea, trait: shy}", 'persona 1: there is no key "trait". Did you mean "traits"?'),
        ("- {name: A, goal: t, weight: -1}", "the weight must be a number that is 0 or more, not -1"),
        ("- {name: A, goal: t, weight: .nan}", "the weight must be a number that is 0 or more, not nan"),
        ("- {name: A, goal: t, weight: 0}", "every weight is 0"),
        ("- {name: A, goal: t, max_turns: 0}", "max_turns must be a whole number above 0, not 0"),
        ("- {name: A, goal: {x: 1}}", "persona 1: goal must be a text"),
        ("- {name: A, goal: t}\n- {name: A, goal: u}", 'two personas are called "A"'),
        ("- {name: A, goal: [t", "people.yaml, line 1: this is no valid YAML"),
    ],
)
def test_what_is_wrong_is_said_with_the_remedy(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(PersonaError) as caught:
        read_personas(written(tmp_path, text))
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PersonaError, match=r"nobody\.yaml cannot be read \(No such file"):
        read_personas(tmp_path / "nobody.yaml")


def test_who_comes_is_as_even_as_the_weights_say() -> None:
    people = [Persona("A", "a", weight=3), Persona("B", "b", weight=1), Persona("C", "c", weight=0)]
    names = [persona.name for persona in cast_list(people, 8) if persona]
    assert names == ["A", "A", "B", "A", "A", "A", "B", "A"]
    assert cast_list([], 2) == [None, None]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any), st.integers(0, 60), st.integers(0, 60))
def test_everybody_has_its_share_and_the_first_stay_the_same(weights: list[int], n: int, more: int) -> None:
    people = [Persona(str(i), "x", weight=weight) for i, weight in enumerate(weights)]
    cast = cast_list(people, n)
    assert cast_list(people, n + more)[:n] == cast
    for persona in people:
        assert abs(cast.count(persona) - n * persona.weight / sum(weights)) < len(people)
        assert persona.weight or persona not in cast


def test_a_digest_tells_personas_apart() -> None:
    ada, bo = Persona("A", "a"), Persona("A", "b")
    assert digest([ada]) == digest([Persona("A", "a")]) != digest([bo])
    assert digest([]) is None
