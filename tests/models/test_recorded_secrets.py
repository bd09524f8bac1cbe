"""No secret reaches a recording."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.models import Choice, RecordedModel, Reply, ScriptedModel
from autograph.models.base import GenerateRequest, Message, Question
from autograph.models.redaction import strike, strike_all
from models_support import ask

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAAbb==\n-----END RSA PRIVATE KEY-----"


def test_secrets_are_not_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.jsonl"
    monkeypatch.setenv("MY_API_KEY", "hunter2hunter2")
    said = "key sk-abcdefghijklmnop1234 and hunter2hunter2 and Bearer abcdef0123456789xyz"
    recorder = RecordedModel(path, ScriptedModel([f"You said {said}"]), "new")
    assert recorder.generate(ask(said)).text == f"You said {said}"
    stored = path.read_text()
    for secret in ("sk-abcdefghijklmnop1234", "hunter2hunter2", "abcdef0123456789xyz"):
        assert secret not in stored
    played = "You said key *** and *** and Bearer ***"
    assert RecordedModel(path).generate(ask(said)).text == played
    monkeypatch.delenv("MY_API_KEY")  # another machine, where the conversation goes on with what was played
    assert RecordedModel(path).generate(ask(strike(said).replace("hunter2hunter2", "***"))).text == played


@pytest.mark.parametrize(
    ("text", "struck"),
    [
        ("sk-proj-abcdefghijkl_MNOP-1234", "***"),
        ("my key: ghp_abcdefghijklmnop0123456789.", "my key: ***."),
        ("github_pat_11ABCDEFG0123456789_abc", "***"),
        ("xoxb-123456789012-abcdef", "***"),
        ("AKIAIOSFODNN7EXAMPLE", "***"),
        ("AIzaSyA1234567890abcdefghijklmnopqrstuv", "***"),
        ("hf_abcdefghijklmnopqrstuv", "***"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-def_ghi", "***"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic ***"),
        ('{"Authorization": "Bearer abc.def-ghi"}', '{"Authorization": "Bearer ***"}'),
        ('{\\"authorization\\": \\"token abcdefgh1\\"}', '{\\"authorization\\": \\"token ***\\"}'),
        ("curl -H 'x-api-key: abc123def456'", "curl -H 'x-api-key: ***'"),
        ("postgres://ada:s3cret@db.example.org/x", "postgres://ada:***@db.example.org/x"),
        ("https://user:p@ss:w0rd@example.org/a@b", "https://user:***@example.org/a@b"),
        ("https://abcdef0123456789abcdef@github.com/x.git", "https://***@github.com/x.git"),
        ("https://example.org/?token=abc123def&page=2", "https://example.org/?token=***&page=2"),
        ("api_key = 'abc123def456'", "api_key = '***'"),
        (f"Here:\n{PEM}\nand more", "Here:\n***\nand more"),
        ("-----BEGIN PRIVATE KEY-----\nMIIEow", "***"),
    ],
)
def test_what_looks_like_a_secret(text: str, struck: str) -> None:
    assert strike(text) == struck
    assert strike(struck) == struck


@pytest.mark.parametrize(
    "text",
    [
        "The bearer of this letter may enter.",
        "Bearer bonds are certificates.",
        "What is your password?",
        "Your token: please wait",
        "task-oriented, risk-free and ask-me-anything-sessions",
        "see https://example.org/a:b@c and mail ada@example.org",
        "the key to success",
        "1/2 + 1/3 = 5/6",
    ],
)
def test_what_is_no_secret(text: str) -> None:
    assert strike(text) == text


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("OPENAI_API_KEY", True),
        ("GITHUB_TOKEN", True),
        ("DB_PASSWORD", True),
        ("PGPASSWORD", True),
        ("aws_secret_access_key", True),
        ("SENTRY_AUTH", True),
        ("MYSECRET", True),
        ("KEY_1", True),
        ("MAX_TOKENS", False),
        ("PWD", False),
        ("AUTHOR", False),
        ("HOME", False),
    ],
)
def test_which_variables_are_secrets(monkeypatch: pytest.MonkeyPatch, name: str, secret: bool) -> None:
    monkeypatch.setenv(name, "plain words, all")
    assert strike("These are plain words, all of them.") == (
        "These are *** of them." if secret else "These are plain words, all of them."
    )


def test_passwords_in_links_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://ada:open sesame@db".replace(" ", "-"))
    assert strike("say open-sesame to ada") == "say *** to ada"


def test_short_values_are_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USE_KEY", "yes")
    assert strike("yes, yes") == "yes, yes"


def test_the_longest_secret_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "abcdef")
    monkeypatch.setenv("B_KEY", "abcdefghij")
    assert strike("xabcdefghijx abcdefx") == "x***x ***x"


def test_every_text_of_the_data_is_struck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "abcdef")
    assert strike_all({"abcdef": [1, None, ("abcdef", {"x": "abcdef!"})]}) == {"***": [1, None, ["***", {"x": "***!"}]]}


def test_the_name_of_the_model_is_struck(tmp_path: Path) -> None:
    model = ScriptedModel(["Hi!"])
    model.describe = "m at https://ada:s3cret@example.org/v1"  # type: ignore[misc]
    RecordedModel(tmp_path / "r.jsonl", model, "new").generate(ask())
    assert "s3cret" not in (tmp_path / "r.jsonl").read_text()


# ---------------------------------------------------------------------- any secret, anywhere

SECRETS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=6, max_size=24).filter(
    lambda text: len(text.strip()) >= 6 and "*" not in text
)
AROUND = st.text(st.sampled_from("ab \"'\\\n{}:,é*/"), max_size=8)


def _spelled(secret: str, how: str) -> str:
    match how:
        case "json":
            return json.dumps({"value": secret})
        case "json unicode":
            return json.dumps({"value": secret}, ensure_ascii=False)
        case "json in json":
            return json.dumps(json.dumps([secret]))
        case "crlf":
            return secret.replace("\r\n", "\n").replace("\n", "\r\n")
    return secret


def _texts(data: Any) -> list[str]:
    if isinstance(data, dict):
        return [text for item in data.items() for text in _texts(list(item))]
    if isinstance(data, list):
        return [text for item in data for text in _texts(item)]
    return [data] if isinstance(data, str) else []


@given(SECRETS, AROUND, AROUND, st.sampled_from(["plain", "json", "json unicode", "json in json", "crlf"]))
def test_no_secret_of_the_environment_reaches_the_file(secret: str, before: str, after: str, how: str) -> None:
    text = before + _spelled(secret, how) + after

    class Echo:
        describe = f"echo {text}"

        def generate(self, request: GenerateRequest) -> Reply:
            return Reply(text, model=text)

        def choose(self, questions: list[Question]) -> list[Choice | None]:
            return [Choice(None, text=text)]

    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOME_API_KEY", secret)
        path = Path(folder) / "r.jsonl"
        recorder = RecordedModel(path, Echo(), "new")  # type: ignore[arg-type]
        recorder.generate(GenerateRequest(text, (Message("user", text),), user_text=text, suffix=f"!{text}!"))
        recorder.choose([Question(text, text, (text, "no"), text, (Message("user", text),))])
        head, *lines = [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
        assert len(lines) == 2
        plain = "\n".join(_texts([head, *lines]))
        names = {"content", "messages", "request", "answer", "choices", "question", "context", "suffix", "version"}
        assert secret.strip() in names or secret not in plain
        assert json.dumps(secret)[1:-1] not in plain or secret.strip() in names
        assert strike(strike(text)) == strike(text)
