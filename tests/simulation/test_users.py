"""Simulated users: what they are shown, what they say, and how they leave."""

from __future__ import annotations

import pytest

from autograph.models import ScriptedModel
from autograph.models.base import GenerateRequest, Usage
from autograph.simulation.cast import Stage
from autograph.simulation.personas import Persona
from autograph.simulation.users import PersonaUser, parted, pick_user, role_of
from rows_support import rows
from simulation_support import CAFE, Cook, cast, held, terms, texts_of

TALK = rows(
    "start1 | chat_exact | more | Well?", "more | chat_exact | more2 | I see.", "more2 | chat_exact | more | Oh."
)
ADA = Persona("Ada", "Get a cup of tea.", "brief", "Never say please.")


@pytest.mark.parametrize(
    ("text", "said", "ends"),
    [
        ("Tea!", "Tea!", False),
        ("", "", False),
        ("<end>", None, True),
        (" <end>\n", None, True),
        ("Thanks. <end>", "Thanks.", True),
        ("<end> is what I say", None, True),
    ],
)
def test_the_end_signal_may_follow_last_words(text: str, said: str | None, ends: bool) -> None:
    found = parted(text, "<end>", "bye")
    assert (found.text, found.ends, found.target) == (said, ends, "bye")


def test_without_an_end_signal_nobody_leaves() -> None:
    assert parted("<end>", "").text == "<end>"


# ---------------------------------------------------------------------- personas


def test_a_persona_is_shown_the_conversation_from_the_other_side() -> None:
    model = ScriptedModel(["Tea.", "Now.", "<end>"])
    stage = Stage()
    bot = cast(TALK, "offline", stage=stage)
    make = pick_user("model", bot=bot, model=bot.watched(model), personas=True)
    (talk,) = held(terms(bot, make), personas=[ADA])
    assert [(turn.user, turn.reply) for turn in talk.turns] == [("", "Well?"), ("Tea.", "I see."), ("Now.", "Oh.")]
    assert (talk.outcome, talk.ended_by, talk.persona) == ("finished", "user", "Ada")
    last = model.requests[-1]
    assert isinstance(last, GenerateRequest)
    system, *rest = texts_of(last.messages)
    assert system == ("system", role_of(ADA, "<end>"))
    assert rest == [
        ("user", "Well?"), ("assistant", "Tea."), ("user", "I see."), ("assistant", "Now."), ("user", "Oh."),
    ]  # fmt: skip
    assert (last.purpose, last.seed, last.node) == ("user", talk.seed, "more2")
    assert (talk.user_usage, talk.usage.requests) == (Usage(requests=3), 0)


def test_an_opening_is_the_personas_own_first_word() -> None:
    model = ScriptedModel(["<end>"])
    bot = cast(TALK, "offline")
    make = pick_user("model", bot=bot, model=bot.watched(model), personas=True)
    held(terms(bot, make), personas=[Persona("Bo", "tea", opening="Hey!")])
    request = model.requests[0]
    assert isinstance(request, GenerateRequest)
    assert texts_of(request.messages)[1:] == [("assistant", "Hey!"), ("user", "Well?")]


def test_a_role_tells_everything_of_the_persona() -> None:
    role = role_of(ADA, "<bye>")
    assert "You are Ada." in role
    assert "What you are like: brief" in role
    assert "What you want: Get a cup of tea." in role
    assert "Never say please." in role
    assert "write <bye> and nothing else" in role
    assert "What you are like" not in role_of(Persona("Bo", "tea"), "<bye>")


def test_a_long_conversation_is_shown_from_its_newest_part() -> None:
    from autograph.models.base import Message

    user = PersonaUser(ScriptedModel(), ADA, 1, budget=20)
    user.messages = [Message("user", "x" * 40), Message("assistant", "y" * 12), Message("user", "z" * 12)]
    assert [message.content[0] for message in user._recent()] == ["y", "z"]
    user.budget = 1
    assert [message.content[0] for message in user._recent()] == ["z"]


def test_without_personas_a_model_plays_anybody() -> None:
    model = ScriptedModel(["<end>"] * 8)
    bot = cast(TALK, "offline")
    make = pick_user("model", bot=bot, model=bot.watched(model), personas=False)
    talks = held(terms(bot, make), 8, concurrency=1)
    roles = {request.messages[0].content for request in model.requests if isinstance(request, GenerateRequest)}
    assert 1 < len(roles) <= 5
    assert {talk.persona for talk in talks} == {None}


# ---------------------------------------------------------------------- the sheet


def test_another_model_may_speak_for_the_sheets_user() -> None:
    stage, chat, user = Stage(), Cook(), ScriptedModel(["tea", "no"])
    bot, speaker = cast(CAFE, chat, stage=stage), cast(CAFE, user, stage=stage)
    make = pick_user("sheet", bot=speaker, model=None, personas=False)
    (talk,) = held(terms(bot, make), seed=6)
    assert [turn.user for turn in talk.turns] == ["", "tea", "no"]
    assert [turn.target for turn in talk.turns] == ["", "tea", "bye"]
    assert (talk.usage.requests, talk.user_usage.requests) == (3, 2)


# ---------------------------------------------------------------------- programs

GUEST = rows(
    "start1 | python_function | first | heard = []",
    "first | python_function | say | heard.append(_last_user_reply)",
    "say | chat_exact | first | I heard: $heard",
)


def test_a_program_as_the_user_remembers() -> None:
    stage = Stage()
    bot, guest = cast(TALK, "offline", stage=stage), cast(GUEST, "offline", stage=stage, by_user=True)
    make = pick_user("program", bot=guest, model=None, personas=False)
    talks = held(terms(bot, make, max_turns=4), 2)
    for talk in talks:
        assert [turn.user for turn in talk.turns] == [
            "", "I heard: ['Well?']", "I heard: ['Well?', 'I see.']", "I heard: ['Well?', 'I see.', 'Oh.']",
        ]  # fmt: skip
        assert talk.outcome == "limit"


def test_the_user_leaves_when_its_program_has_ended() -> None:
    stage = Stage()
    guest = cast(rows("start1 | chat_exact | say | Hello.", "say | chat_exact | quit | Bye."), "offline", stage=stage)
    make = pick_user("program", bot=guest, model=None, personas=False)
    (talk,) = held(terms(cast(TALK, "offline", stage=stage), make))
    assert [(turn.user, turn.reply) for turn in talk.turns] == [("", "Well?"), ("Hello.", "I see."), ("Bye.", "Oh.")]
    assert (talk.outcome, talk.ended_by) == ("finished", "user")


def test_what_a_users_program_asks_is_the_users() -> None:
    stage = Stage()
    guest = cast(
        rows("start1 | chat | say | Speak.", "say | chat_exact | quit | Bye."),
        Cook(Usage(5, 1)),
        stage=stage,
        by_user=True,
    )
    make = pick_user("program", bot=guest, model=None, personas=False)
    (talk,) = held(terms(cast(TALK, "offline", stage=stage), make))
    assert (talk.user_usage, talk.usage.requests) == (Usage(5, 1), 0)


def test_an_error_of_the_users_program_is_named_as_such() -> None:
    stage = Stage()
    guest = cast(
        rows("start1 | python_function | say | n = 1 / 0", "say | chat_exact | quit | x"), "offline", stage=stage
    )
    make = pick_user("program", bot=guest, model=None, personas=False)
    (talk,) = held(terms(cast(TALK, "offline", stage=stage), make))
    assert talk.error is not None
    assert talk.error.message.startswith("the program that plays the user failed: ")
    assert (talk.outcome, talk.error.node) == ("failed", "start1")
    assert talk.last_node == "start1"
