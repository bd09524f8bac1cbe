"""Which items are in a list cell?"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph.language.grammar import TextError
from autograph.language.lists import _cut, split_list, split_places, trim


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("", []),
        (" \n\u200b\xa0", []),
        ("a", ["a"]),
        (" a ,\xa0b\u200b,\n c d", ["a", "b", "c d"]),
        ("return max(a, b)", ["return max(a, b)"]),
        ("return [max(a, b), {'k': (a, b)}], return \"a, b\"", ["return [max(a, b), {'k': (a, b)}]", 'return "a, b"']),
        ("return 'a, b', x", ["return 'a, b'", "x"]),
        ("return'a, b', x", ["return'a, b'", "x"]),
        ("don't_go, it's, the dogs' bowl", ["don't_go", "it's", "the dogs' bowl"]),
        ("return f'a, b', return rb'x, y', return B'x,y'", ["return f'a, b'", "return rb'x, y'", "return B'x,y'"]),
        ("return d['k, l'], x", ["return d['k, l']", "x"]),
        ("rock 'n, n' roll, x", ["rock 'n, n' roll", "x"]),
        ("return 'it\\'s, so', x", ["return 'it\\'s, so'", "x"]),
        ('return "a\\", b", x', ['return "a\\", b"', "x"]),
        ("return '(', x", ["return '('", "x"]),
        ("return {1: [2, (3, ',')]}, p.*, $d", ["return {1: [2, (3, ',')]}", "p.*", "$d"]),
        ("Zoë's, 茶", ["Zoë's", "茶"]),
        ("return a[1:2], C:\\x", ["return a[1:2]", "C:\\x"]),
    ],
)
def test_items(text: str, items: list[str]) -> None:
    assert list(split_list(text)) == items


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("return max(a, b", 10, '"(" at character 11 is never closed'),
        ("return a + ', end", 11, "The quote ' at character 12 is never closed"),
        ('5" disk', 1, 'The quote " at character 2 is never closed'),
        ("a)", 1, '")" at character 2 closes nothing'),
        ("x, [a, (b]", 9, '"]" at character 10 does not close the bracket "(" at character 8'),
        ("[a, (b), c", 0, '"[" at character 1 is never closed'),
        ("a,,b", 2, "Item 2 of the list is empty"),
        ("a, b, ", 5, "Item 3 of the list is empty"),
        (",a", 0, "Item 1 of the list is empty"),
        ("f(x), \u200b, b", 5, "Item 2 of the list is empty"),
    ],
)
def test_malformed_lists(text: str, position: int, words: str) -> None:
    with pytest.raises(TextError) as caught:
        split_list(text)
    assert words in str(caught.value)
    assert caught.value.position == position


PIECES = st.sampled_from([",", "(", ")", "[", "]", "{", "}", "'", '"', "\\", "a", "f", "return", " ", "é", "$x"])


@settings(max_examples=300)
@given(st.lists(PIECES | st.text(max_size=2), max_size=12).map("".join))
def test_any_text_is_a_list_or_refused(text: str) -> None:
    try:
        items = split_list(text)
    except TextError as error:
        assert 0 <= error.position <= len(text)  # noqa: PT017 - most texts raise nothing
        return
    assert all(item and item == trim(item) and item in text for item in items)
    assert split_list(", ".join(items)) == items


@given(st.text(st.characters(exclude_characters="()[]{}'\""), max_size=30))
def test_the_fast_path_agrees_with_the_grammar(text: str) -> None:
    assert _cut(text, split_places(text)) == text.split(",")


ITEMS = st.recursive(
    st.sampled_from(["a", "it's", "'x, y'", '"(,"', "f'[,'", "return 'a,'", "$d", "p.*", "1 + 2"]),
    lambda below: st.tuples(st.sampled_from(["()", "[]", "{}"]), st.lists(below, max_size=3)).map(
        lambda pair: pair[0][0] + ", ".join(pair[1]) + pair[0][1]
    ),
    max_leaves=8,
)


@given(st.lists(ITEMS, max_size=5))
def test_balanced_items_survive(items: list[str]) -> None:
    assert list(split_list(" ,\n".join(items))) == items


def test_very_deep_brackets() -> None:
    text = "(" * 3000 + ")" * 3000
    assert split_list(f"{text}, b") == (text, "b")
