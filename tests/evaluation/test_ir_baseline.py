"""The baseline of word overlap and its dictionary: rankings, scores and files are ParlAI's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.evaluation.fault import DataError
from autograph.evaluation.parlai.dictionary import Dictionary, tokens_of
from autograph.evaluation.parlai.ir_baseline import IrBaselineAgent, query_of, rank, score

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "parlai-ir-baseline.json").read_text("utf-8"))


def trained(**options: Any) -> IrBaselineAgent:
    agent = IrBaselineAgent(options)
    agent.train({"text": text, "labels": labels} for text, labels in VECTORS["train"])
    return agent


def ids(vector: dict[str, Any]) -> str:
    return f"{vector['query_turns'][-1]} {vector['length_penalty']} {vector['history_size']}"


def test_the_dictionary_counts_as_the_original() -> None:
    assert trained().dictionary.freq == VECTORS["freq"]


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=ids)
def test_rankings_and_scores_of_the_original(vector: dict[str, Any]) -> None:
    agent = trained(length_penalty=vector["length_penalty"], history_size=vector["history_size"])
    for turn in vector["query_turns"]:
        agent.observe({"text": turn, "label_candidates": VECTORS["candidates"], "episode_done": False})
    act = agent.act()
    assert (act["text"], act["text_candidates"]) == (vector["text"], vector["text_candidates"])
    query = query_of(vector["query_text"], agent.dictionary)
    assert (query.words, query.norm) == (vector["query_words"], vector["query_norm"])
    found = {c: score(query, c, vector["length_penalty"], agent.dictionary) for c in VECTORS["candidates"]}
    assert found == vector["scores"]


def test_of_many_candidates_a_hundred_are_kept() -> None:
    # a tie never displaces what is there, so the candidates that come late are lost, and a better one is not
    candidates = [*(f"c{i:03}" for i in range(130)), "foo"]
    query = query_of("foo", Dictionary())
    ranking = rank(query, candidates, 0.5, Dictionary())
    expected = VECTORS["many_candidates"]
    assert len(ranking) == expected["returned"]
    assert ranking[:5] == expected["first5"]
    assert ranking[-3:] == expected["last3"]


def test_of_equal_candidates_the_last_by_the_alphabet_is_first() -> None:
    assert rank(query_of("x", Dictionary()), ["b", "c", "a"], 0.5, Dictionary()) == ["c", "b", "a"]


def test_untrained_every_word_weighs_one() -> None:
    query = query_of("Tea or tea?", Dictionary())
    assert query.words == {"tea": 1.0, "or": 1.0, "?": 1.0}
    assert query.norm == 2.0


def test_without_candidates_it_is_silent() -> None:
    agent = IrBaselineAgent()
    agent.observe({"text": "hello"})
    assert agent.act() == VECTORS["no_candidates_act"]


def test_a_dialogue_that_has_ended_is_forgotten() -> None:
    agent = IrBaselineAgent(history_size=5)
    agent.observe({"text": "one", "episode_done": True})
    agent.observe({"text": "two", "episode_done": False})
    agent.observe({"reward": 1})
    assert agent.history == ["two"]
    agent.reset()
    assert agent.history == []


def test_it_learns_while_the_datatype_is_train() -> None:
    agent = IrBaselineAgent(datatype="train")
    for _ in range(2):
        agent.observe({"text": "tea", "labels": ["black tea", "tea"]})
        agent.act()
    assert (agent.dictionary.count("tea"), agent.dictionary.count("black")) == (6, 2)
    other = agent.share()
    assert other.dictionary is agent.dictionary
    assert other.history == []


def test_candidates_of_a_file_win(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("tea\ncoffee\n", "utf-8")
    agent = IrBaselineAgent(label_candidates_file=str(tmp_path / "c.txt"))
    agent.observe({"text": "coffee", "label_candidates": ["water"]})
    assert agent.act()["text_candidates"] == ["coffee", "tea", ""]
    with pytest.raises(DataError, match=r"none\.txt: the candidates cannot be read"):
        IrBaselineAgent(label_candidates_file="none.txt")


def test_a_negative_length_penalty_is_refused() -> None:
    with pytest.raises(ValueError, match="it must be 0 or more"):
        IrBaselineAgent(length_penalty=-1)


# ---------------------------------------------------------------------- the dictionary


def test_tokens() -> None:
    assert tokens_of("Don't go,\nx_1 ü ½!") == ["Don", "'", "t", "go", ",", "\n", "x_1", "ü", "½", "!"]


def test_a_file_has_the_most_frequent_first(tmp_path: Path) -> None:
    dictionary = Dictionary(lower=True)
    dictionary.add("B a\na b\tB")
    file = dictionary.save(tmp_path / "new" / "words.dict")
    special = "__null__\t1000000003\n__start__\t1000000002\n__end__\t1000000001\n__unk__\t1000000000\n"
    assert file.read_bytes().decode() == f"{special}b\t3\na\t2\n\\n\t1\n"


@given(st.lists(st.text(min_size=1, alphabet=st.sampled_from("ab ?!\n\t\\nrİß日")), max_size=8))
def test_a_dictionary_survives_its_file(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    dictionary = Dictionary()
    dictionary.add_message({"text": "".join(texts), "labels": texts})
    file = dictionary.save(tmp_path_factory.mktemp("d") / "words.dict")
    assert Dictionary.load(file).freq == dictionary.freq


def test_files_of_others_are_read(tmp_path: Path) -> None:
    file = tmp_path / "old.dict"
    file.write_text("__UNK__\t7\ntea\t2\r\nalone\n", "utf-8")
    dictionary = Dictionary.load(file)
    assert (dictionary.count("__unk__"), dictionary.count("tea"), "alone" in dictionary) == (1000000000, 2, True)
    assert len(dictionary) == 6


def test_a_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "bad.dict").write_text("tea\t2\ncup\tmany\n", "utf-8")
    with pytest.raises(DataError, match=r'bad\.dict, line 2: "many" is no count'):
        Dictionary.load(tmp_path / "bad.dict")
    with pytest.raises(DataError, match="cannot be read"):
        Dictionary.load(tmp_path / "none.dict")
