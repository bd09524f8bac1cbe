"""Which choice do simple rules take? For conversations without a language model.

The rules know the form of questions, yes and no in many words, numbers, a few speech acts (stop,
hint, repeat, ...) and words that belong together. They are no substitute for a model, and must never
decide anything that matters for somebody's safety.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograph.models.answers import match_label, match_letter
from autograph.models.base import Choice, Question
from autograph.models.lexicon import STOP_WORDS, groups_of, stem, words_of
from autograph.models.signals import ACTS, has_email, has_number, is_question, polarity, shows
from autograph.models.yes_no import yes_or_no

__all__ = ["answer"]

_NONE = re.compile(r"^(?:none|neither|nothing|other|something else|no interjection)\b|\bnone of (?:the|these|them)\b")
_ORDINALS = {"first": 0, "1st": 0, "former": 0, "second": 1, "2nd": 1, "latter": 1, "third": 2, "3rd": 2, "fourth": 3,
             "4th": 3, "fifth": 4, "5th": 4, "sixth": 5, "6th": 5}  # fmt: skip
_ORDINAL = re.compile(
    r"(?:(?:i'll|i will|i would|i'd|let's|i)? ?(?:take|pick|choose|like|want|prefer|go for|go with|do|say) )?(?:the )?"
    rf"({'|'.join(_ORDINALS)}|last)(?: one| option| choice| answer)?(?:,? please)?"
)
_REJECTED = re.compile(
    r"\b(?:not|no|never|don't|dislike|hate|without|except|rather than|instead of|other than)\b((?:\s+[\w'-]+){1,3})"
)


def answer(question: Question) -> Choice:
    """The choice that the rules take for a question, with a modest confidence."""
    said, before = _last(question, "user"), _last(question, "assistant")
    yes, no = _yes_no_choices(question.choices)
    if yes is not None and no is not None:
        holds, confidence = yes_or_no(question.question, said, before)
        index = yes if holds else no
    else:
        index, confidence = _best(question, said, before)
    return Choice(index, round(confidence, 2), question.choices[index])


def _last(question: Question, role: str) -> str:
    """The newest text of a role in the context of the question."""
    return next((message.content for message in reversed(question.context) if message.role == role), "")


def _yes_no_choices(choices: Sequence[str]) -> tuple[int | None, int | None]:
    """The indices of the choices that say yes and no, if there are just those two."""
    if len(choices) != 2:
        return None, None
    first = [(words_of(choice) or [""])[0] for choice in choices]
    if sorted(first) == ["no", "yes"]:
        return first.index("yes"), first.index("no")
    return None, None


def _best(question: Question, said: str, before: str) -> tuple[int, float]:
    choices = question.choices
    direct = _direct(said, choices, by_place=question.purpose != "interjection")
    if direct is not None:
        return direct, 0.8
    none = next((index for index, choice in enumerate(choices) if _NONE.search(choice.lower())), None)
    scores = [0.0 if index == none else _score(index, choices, said, before) for index in range(len(choices))]
    best = max(range(len(choices)), key=lambda index: scores[index])
    needed = 1.0 if none is not None else 0.0
    if none is not None and scores[best] < needed:
        return none, 0.5
    ranked = sorted(scores, reverse=True)
    if ranked[0] <= 0 or (len(ranked) > 1 and ranked[0] == ranked[1]):
        return best, round(1 / len(choices), 2)
    return best, min(0.75, 0.4 + 0.1 * (ranked[0] - ranked[1]))


def _direct(said: str, choices: Sequence[str], *, by_place: bool) -> int | None:
    """A choice that the user named outright: its words, its number or its place.

    The user does not see the choices of an interjection question, so a "2" there answers something else.
    """
    named = match_label(said, choices)
    if named is not None or not by_place:
        return named
    plain = said.lower().strip(" .!")
    if re.fullmatch(r"\(?[a-z]\)?", plain):
        return match_letter(plain.strip("()"), choices)
    number = re.fullmatch(r"(?:option|number|choice|answer|no\.?|#)?\s*(\d)\)?", plain)
    if number and not any(has_number(choice) for choice in choices):
        place = int(number[1]) - 1
        return place if 0 <= place < len(choices) else None
    ordinal = _ORDINAL.fullmatch(plain)
    if ordinal:
        place = len(choices) - 1 if ordinal[1] == "last" else _ORDINALS[ordinal[1]]
        return place if 0 <= place < len(choices) else None
    return None


def _score(index: int, choices: Sequence[str], said: str, before: str) -> float:
    label = choices[index].lower()
    return _act_score(label, said, before) + _shape_score(label, said) + _word_score(index, choices, said)


def _act_score(label: str, said: str, before: str) -> float:
    """Evidence for a choice that describes what the user does."""
    score = 0.0
    for act, (named, _) in ACTS.items():
        if re.search(named, label):
            score += 2.5 if shows(act, said) else -0.5
    if re.search(r"\banswer(?:s|ed)?\b.*\bquestion\b|^answered\b|\bgave an answer\b", label):
        score += _answering(said, before)
    if re.search(r"\boff[- ]?topic\b|\bunrelated\b", label):
        related = _stems(said) & _stems(before) or groups_of(_stems(said)) & groups_of(_stems(before))
        score += -0.5 if related else 0.4
    if re.search(r"\b(?:asks?|asked|asking) (?:a|another|the) question\b", label):
        score += 2.0 if is_question(said) else -1.0
    return score


def _answering(said: str, before: str) -> float:
    if is_question(said) or any(shows(act, said) for act in ("hint", "skip", "topic", "stop", "repeat", "unknown")):
        return -1.0
    return 1.2 if before else 0.6


def _shape_score(label: str, said: str) -> float:
    """Evidence for a choice that speaks of a number or an address."""
    denied = bool(re.search(r"\b(?:no|not|n't|without|didn't|doesn't|did not|does not)\b", label))
    score = 0.0
    if re.search(r"\bnumbers?\b|\bamount\b|\bage\b|\bdigits?\b|\bquantity\b", label) and "phone" not in label:
        score += 2.0 if has_number(said) != denied else -1.0
    if re.search(r"\be-?mail\b", label):
        score += 2.0 if has_email(said) != denied else -1.0
    if words_of(label)[:1] in (["yes"], ["no"]):
        score += 2.0 * polarity(said) * (1 if label.startswith("yes") else -1)
    return score


def _word_score(index: int, choices: Sequence[str], said: str) -> float:
    """Evidence from shared and related words that the other choices do not have."""
    own, spoken = _stems(choices[index]), _stems(said)
    others = frozenset().union(*(_stems(choice) for place, choice in enumerate(choices) if place != index))
    shared = (own & spoken) - others
    score = 1.5 * len(shared) + 0.3 * len(own & spoken & others)
    related = (groups_of(own - others) & groups_of(spoken)) - groups_of(others - own)
    score += 0.7 * min(len(related), 3)
    rejected = _rejected(said)
    if shared & rejected:
        return -score
    return score + (1.0 if rejected & others else 0.0)


def _rejected(said: str) -> frozenset[str]:
    """Stems of the words that follow a "not", "never", "instead of" …"""
    return frozenset(stem(word) for match in _REJECTED.finditer(said.lower()) for word in words_of(match[1]))


def _stems(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning; some pairs of words count as one."""
    text = re.sub(r"(\d)(am|pm)\b", r"\1 \2", text.lower())
    text = re.sub(r"\b(after) (work)\b|\b(check|log|sign)(?:ed|ing)? (in)\b", _joined, text)
    return frozenset(stem(word) for word in words_of(text) if word not in STOP_WORDS)


def _joined(match: re.Match[str]) -> str:
    return "-".join(part for part in match.groups() if part)
