"""Model strings, `auto`, and what is loaded for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import autograph.models
from autograph.errors import ModelError
from autograph.models import LocalModel, OfflineModel, OpenAIModel, RecordedModel, ScriptedModel, resolve_model
from autograph.models.resolve import DEFAULT_MODEL

VARIABLES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "AUTOGRAPH_MODEL", "AUTOGRAPH_LOCAL_MODEL")


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def described(spec: str | None, **more: bool) -> tuple[str, str, str]:
    model = resolve_model(spec, **more)
    assert isinstance(model, OpenAIModel)
    return model.model, model._peer.where, model._peer.key


@pytest.mark.parametrize("spec", [None, "auto", " AUTO "])
def test_auto_without_settings_is_offline_and_says_so(spec: str | None) -> None:
    lines: list[str] = []
    assert isinstance(resolve_model(spec, notify=lines.append), OfflineModel)
    assert len(lines) == 1
    assert "OPENAI_API_KEY" in lines[0]


def test_the_line_goes_to_stderr(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    monkeypatch.setenv("OPENAI_BASE_URL", "")
    resolve_model(None)
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1


def test_offline_by_name_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert isinstance(resolve_model("offline"), OfflineModel)
    assert capsys.readouterr().err == ""


def test_auto_with_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1234")
    assert described(None) == (DEFAULT_MODEL, "https://api.openai.com/v1", "sk-1234")
    monkeypatch.setenv("OPENAI_MODEL", "m1")
    assert described("auto")[0] == "m1"
    monkeypatch.setenv("AUTOGRAPH_MODEL", "m2")
    assert described("auto")[0] == "m2"


def test_auto_with_a_server_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1")
    assert described(None) == (DEFAULT_MODEL, "http://127.0.0.1:8080/v1", "unused")


def test_the_variable_may_hold_a_whole_model_string(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1234")
    monkeypatch.setenv("AUTOGRAPH_MODEL", "offline")
    assert isinstance(resolve_model(None), OfflineModel)
    monkeypatch.setenv("AUTOGRAPH_MODEL", "openai:m3")
    assert described(None)[0] == "m3"
    monkeypatch.setenv("AUTOGRAPH_MODEL", "auto")
    assert described(None)[0] == DEFAULT_MODEL


@pytest.mark.parametrize(
    ("spec", "model", "where"),
    [
        ("openai:gpt-5-mini", "gpt-5-mini", "https://api.openai.com/v1"),
        ("openai:m@http://127.0.0.1:1/v1", "m", "http://127.0.0.1:1/v1"),
        ("openai:org/m:7b@https://h.example/v1", "org/m:7b", "https://h.example/v1"),
        ("openai:@cf/meta/m", "@cf/meta/m", "https://api.openai.com/v1"),
    ],
)
def test_openai_strings(spec: str, model: str, where: str) -> None:
    assert described(spec)[:2] == (model, where)


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("http://127.0.0.1:1/v1", "sk-mine"),
        ("https://api.openai.com/v1", "sk-mine"),
        ("https://my.example/other", "sk-mine"),
        ("http://my.example/v1", "unused"),
        ("https://stranger.example/v1", "unused"),
        ("https://api.openai.com.stranger.example/v1", "unused"),
        ("https://api.openai.com@stranger.example/v1", "unused"),
    ],
)
def test_a_program_cannot_send_the_key_to_a_stranger(monkeypatch: pytest.MonkeyPatch, url: str, sent: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://my.example/v1")
    assert described(f"openai:m@{url}", from_program=True)[2] == sent
    assert described(f"openai:m@{url}")[2] == "sk-mine"


def test_files(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text("replies: [Hi]\n")
    (tmp_path / "r.jsonl").write_text("")
    (tmp_path / "m.gguf").write_text("")
    assert isinstance(resolve_model(f"scripted:{tmp_path / 's.yaml'}"), ScriptedModel)
    assert isinstance(resolve_model(f"recorded:{tmp_path / 'r.jsonl'}"), RecordedModel)
    local = resolve_model(f"local:{tmp_path / 'm.gguf'}")
    assert isinstance(local, LocalModel)
    assert local.path == tmp_path / "m.gguf"


def test_objects() -> None:
    model = ScriptedModel()
    assert resolve_model(model) is model
    with pytest.raises(ModelError, match="classifier cannot be a int: it lacks generate and choose"):
        resolve_model(3, role="classifier")
    with pytest.raises(ModelError, match="the class ScriptedModel: make an object of it"):
        resolve_model(ScriptedModel)


@pytest.mark.parametrize("spec", ["", "gpt-5", "openai", "openai:", "ofline", "offline:x", "scripted:", "auto:x"])
def test_unknown_strings_list_the_forms(spec: str) -> None:
    with pytest.raises(ModelError, match="openai:MODEL@BASE_URL") as caught:
        resolve_model(spec)
    assert f'"{spec}" is no model for the chatbot' in str(caught.value)
    assert ('Did you mean "offline"?' in str(caught.value)) == (spec == "ofline")


def test_a_base_url_without_its_beginning() -> None:
    for spec in ("openai:m@localhost:8080/v1", "openai:m@"):
        with pytest.raises(ModelError, match="begins with http"):
            resolve_model(spec)


def test_local_without_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="Set AUTOGRAPH_LOCAL_MODEL to its path"):
        resolve_model("local")
    monkeypatch.setenv("AUTOGRAPH_LOCAL_MODEL", str(tmp_path / "none.gguf"))
    with pytest.raises(ModelError, match=r"no model file .*none\.gguf \(AUTOGRAPH_LOCAL_MODEL names it\)"):
        resolve_model("local")


def test_every_export_exists() -> None:
    for name in autograph.models.__all__:
        assert getattr(autograph.models, name).__name__ == name
    assert dir(autograph.models) == sorted(autograph.models.__all__)
    with pytest.raises(AttributeError, match="Nothing"):
        autograph.models.Nothing  # noqa: B018


def test_nothing_heavy_is_loaded() -> None:
    code = (
        "import sys; from autograph.models import OpenAIModel, OfflineModel, ScriptedModel, LocalModel, RecordedModel, "
        "resolve_model; resolve_model('offline'); resolve_model('openai:m'); "
        "heavy = ('openai', 'httpx2', 'asyncio', 'yaml', 'xllamacpp', 'lark', 'pydantic'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
