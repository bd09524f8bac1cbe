"""What does a file in ParlAI's older form say? Numbered lines: ``3 question<TAB>answer|…<TAB>reward<TAB>choice|…``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from autograph.errors import Location
from autograph.evaluation.fault import DataError, Fault
from autograph.evaluation.parlai.message import Message
from autograph.evaluation.parlai.parlai_text import read_lines

__all__ = ["CLOZE_PREFIX", "read_candidates", "read_fb_format"]

CLOZE_PREFIX = "Fill in the blank in the last sentence.\n"
_PARTS = ("text", "labels", "reward", "label_candidates")


@dataclass(slots=True)
class _Reading:
    """What has been read so far: the dialogues, and the example that is under way."""

    episodes: list[list[Message]] = field(default_factory=list)
    begins: bool = True
    said: str = ""
    reward: float = 0

    def emit(self, message: Message) -> None:
        """Add an example, which is complete."""
        if self.begins or not self.episodes:
            self.episodes.append([])
        self.episodes[-1].append(message)

    def emit_rest(self) -> None:
        """Add what was said without an answer, if anything was."""
        if self.said:
            self.emit(Message(text=self.said, reward=self.reward))


def read_fb_format(
    path: Path, *, cloze: bool = False, candidates: list[str] | None = None
) -> list[list[Message]]:  # fmt: skip
    """The dialogues of a file, each a list of examples.

    A line's number that is not above the one before it begins a dialogue. Lines without an answer are gathered in
    front of the next question; at the end of a dialogue they make an example without labels. ``cloze`` puts the
    sentence ``CLOZE_PREFIX`` in front of each dialogue. ``candidates`` are offered with every example, with its labels.
    Raises ``DataError`` with every line that is wrong.
    """
    reading = _Reading()
    faults: list[Fault] = []
    before: int | None = None
    for number, raw in enumerate(read_lines(path), 1):
        line = raw.strip().replace("\\n", "\n")
        if not line:
            continue
        try:
            index, parts = _split(line)
            begins = before is None or index <= before
            before = index
            _take(reading, parts, begins, cloze, candidates)
        except ValueError as error:
            faults.append(Fault(Location(str(path), line=number), str(error)))
    reading.emit_rest()
    if faults:
        raise DataError(faults)
    if not reading.episodes:
        hint = "Write numbered lines: 1 question<TAB>answer"
        raise DataError([Fault(Location(str(path)), "the file holds no example.", hint)])
    for episode in reading.episodes:
        for position, message in enumerate(episode, 1):
            message["episode_done"] = position == len(episode)
    return reading.episodes


def _split(line: str) -> tuple[int, list[str]]:
    """The number of a line and its parts; a line that is only a number says that number."""
    blank = line.find(" ")
    start = line if blank < 0 else line[:blank]
    try:
        index = int(start)
    except ValueError:
        raise ValueError(f'the line begins with "{start:.30}", not with a number and a blank.') from None
    parts = [part.strip() for part in line[blank + 1 :].split("\t")]
    if len(parts) > len(_PARTS) and parts[len(_PARTS)]:
        raise ValueError("the line has a fifth part, a picture, which is not read. Delete it.")
    return index, parts


def _take(reading: _Reading, parts: list[str], begins: bool, cloze: bool, candidates: list[str] | None) -> None:
    """Take a line's parts into account."""
    if begins:
        reading.said = reading.said.strip()
        reading.emit_rest()
        reading.begins, reading.reward = True, 0
        reading.said = CLOZE_PREFIX + parts[0] if cloze else parts[0]
    else:
        reading.said = f"{reading.said}\n{parts[0]}" if reading.said else parts[0]
    if len(parts) > 2 and parts[2]:
        try:
            reading.reward += float(parts[2])
        except ValueError:
            raise ValueError(f'the reward is "{parts[2]:.30}", which is no number.') from None
    if len(parts) > 1 and parts[1]:
        reading.emit(_labelled(reading, parts, candidates))
        reading.begins, reading.said, reading.reward = False, "", 0


def _labelled(reading: _Reading, parts: list[str], candidates: list[str] | None) -> Message:
    labels = parts[1].split("|")
    message = Message(text=reading.said, labels=labels, reward=reading.reward)
    if candidates is not None:
        message["label_candidates"] = list(dict.fromkeys([*candidates, *labels]))
    elif len(parts) > 3:
        message["label_candidates"] = parts[3].split("|")
        if labels[0] not in message["label_candidates"]:
            raise ValueError(f'the answer "{labels[0]:.40}" is none of the candidates. Add it to them.')
    return message


def read_candidates(path: Path) -> list[str]:
    """The candidates in a file: a line each, or the answers of numbered lines. Raises ``DataError``."""
    found: list[str] = []
    numbered = answers = False
    for count, line in enumerate(filter(None, (raw.strip().replace("\\n", "\n") for raw in read_lines(path)))):
        if count == 0:
            numbered = line.startswith("1 ")
        if "\t" in line and not answers:
            answers, found = True, []
        if not numbered:
            found.append(line)
            continue
        parts = line[line.find(" ") + 1 :].split("\t")
        if not answers:
            found.append(parts[0])
        elif len(parts) > 1 and parts[1]:
            found.append(parts[1])
    return found
