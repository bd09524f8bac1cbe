"""Does what the question asks hold? Rules for questions with the answers yes and no."""

from __future__ import annotations

import re
from collections.abc import Callable

from autograph.models.lexicon import STOP_WORDS, groups_of, stem, words_of
from autograph.models.signals import has_email, has_number, is_question, polarity, shows

__all__ = ["yes_or_no"]

_POSITIVE = re.compile(
    r"\b(?:great|good|happy|glad|love\w*|wonderful|fantastic|excited|amazing|sunshine|perfect|awesome|nice|fun|best|"
    r"enjoy\w*|fine|well|delicious|beautiful|brilliant|relaxed)\b|\bcouldn't ask for more\b|:\)"
)
_NEGATIVE = re.compile(
    r"\b(?:bad|sad|awful|terrible|horrible|angry|upset|tired|hate|useless|worst|annoy\w*|frustrat\w*|miserable|"
    r"could be better|been better|not (?:so |very |that )?(?:good|great|happy|well)|nothing works|waiting|stress\w*|"
    r"ruined|boring|broken|cry\w*|alone|lonely|fed up|ugh|exhausted|worried|afraid|scared|hurts?|sick)\b|:\("
)
_DELAY = re.compile(
    r"\b(?:hold on|hang on|wait|not yet|later|in a (?:minute|moment|bit)|give me|need (?:a|more|some|to|another)|"
    r"(?:minute|moment|second|sec)s?|busy|at the door|almost|nearly|"
    r"still|first|confused|before we|one more|again)\b"
)
_PARTLY = re.compile(r"\b(?:half|almost|nearly|partly|most of|some of|still|working on|not|yet|haven't|didn't|stuck)\b")
_ARITHMETIC = re.compile(r"(\d+)\s*(plus|\+|minus|-|−|times|x|×|\*|multiplied by|divided by|/|÷|over)\s*(\d+)")
_WORD_NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
}  # fmt: skip

_EXPERIENCE = re.compile(
    r"\b(?:already|did|had|learn(?:ed|t)|know|knew|remember|forgot(?:ten)?|used to|worked|tried|some|"
    r"a (?:bit|little|few)|years?|months?|once|twice|basics?|familiar|sometimes|often)\b"
)
_NO_EXPERIENCE = re.compile(
    r"\b(?:never|first time|no|none|nothing|not|new|next|missed|don't|didn't|haven't|havent|hasn't|hadn't|hardly|"
    r"cannot|can't)\b"
)

Rule = Callable[[str, str, str], tuple[bool, float]]


def yes_or_no(question: str, said: str, before: str) -> tuple[bool, float]:
    """Whether the answer is yes, and how sure the rules are.

    ``said`` is the user's text and ``before`` what the chatbot said before it.
    """
    plain = " ".join(question.lower().replace("’", "'").split())
    for pattern, rule in _RULES:
        if re.search(pattern, plain):
            return rule(plain, said, before)
    return _plain_answer(plain, said, before)


def _asked(_question: str, said: str, _before: str) -> tuple[bool, float]:
    return is_question(said), 0.8


def _number(_question: str, said: str, _before: str) -> tuple[bool, float]:
    return has_number(said), 0.8


def _email(_question: str, said: str, _before: str) -> tuple[bool, float]:
    return has_email(said), 0.9


def _act(act: str) -> Rule:
    def rule(_question: str, said: str, _before: str) -> tuple[bool, float]:
        if act == "stop" and re.search(r"\bone more\b|\bactually yes\b", said.lower()):
            return False, 0.7
        return shows(act, said), 0.7

    return rule


def _onward(_question: str, said: str, _before: str) -> tuple[bool, float]:
    if _DELAY.search(said.lower()):
        return False, 0.7
    lean = polarity(said)
    if lean:
        return lean > 0, 0.7
    return not is_question(said), 0.4


def _mentioned(question: str, said: str, before: str) -> tuple[bool, float]:
    match = re.search(
        r"(?:mention\w*|talk\w* about|refer\w* to|name[ds]?|say|said|bring up|speak about)\s+(.*)", question
    )
    wanted = _content(match[1] if match else question)
    if wanted & _content(said):
        return True, 0.8
    return bool(groups_of(wanted) & groups_of(_content(said))), 0.5


def _bad_mood(_question: str, said: str, _before: str) -> tuple[bool, float]:
    return len(_NEGATIVE.findall(said.lower())) > len(_POSITIVE.findall(said.lower())), 0.6


def _good_mood(_question: str, said: str, _before: str) -> tuple[bool, float]:
    positive, negative = len(_POSITIVE.findall(said.lower())), len(_NEGATIVE.findall(said.lower()))
    if positive == negative:
        return polarity(said) > 0, 0.4
    return positive > negative, 0.6


def _finished(_question: str, said: str, _before: str) -> tuple[bool, float]:
    if _PARTLY.search(said.lower()):
        return False, 0.7
    return polarity(said) > 0 or bool(re.search(r"\b(?:did|finished|done|completed|all)\b", said.lower())), 0.6


def _right(_question: str, said: str, before: str) -> tuple[bool, float]:
    """Sums can be checked; of anything else the rules know nothing, and say no."""
    asked = _ARITHMETIC.search(_with_digits(before))
    numbers = re.findall(r"-?\d+(?:\.\d+)?", _with_digits(said))
    if not asked or not numbers:
        return False, 0.35
    left, right = int(asked[1]), int(asked[3])
    sign = asked[2]
    if sign in ("plus", "+"):
        result = float(left + right)
    elif sign in ("minus", "-", "−"):
        result = float(left - right)
    elif sign in ("divided by", "/", "÷", "over"):
        result = left / right if right else float("nan")
    else:
        result = float(left * right)
    return abs(float(numbers[-1]) - result) < 0.01, 0.8


def _experienced(_question: str, said: str, _before: str) -> tuple[bool, float]:
    """Whether the user has done something before: people tell when, or how much, rather than say yes."""
    plain = said.lower().replace("’", "'")
    if _NO_EXPERIENCE.search(plain):
        return False, 0.6
    lean = polarity(said)
    if lean:
        return lean > 0, 0.7
    return bool(_EXPERIENCE.search(plain)), 0.55


def _answered(_question: str, said: str, _before: str) -> tuple[bool, float]:
    evades = is_question(said) or any(shows(act, said) for act in ("skip", "topic", "hint", "repeat", "unknown"))
    return bool(said.strip()) and not evades, 0.6


def _understood(_question: str, said: str, _before: str) -> tuple[bool, float]:
    if shows("unknown", said) or is_question(said):
        return False, 0.7
    return polarity(said) >= 0, 0.6


def _told(_question: str, said: str, _before: str) -> tuple[bool, float]:
    refuses = is_question(said) or shows("topic", said) or polarity(said) < 0
    return bool(said.strip()) and not refuses, 0.55


def _more(_question: str, said: str, _before: str) -> tuple[bool, float]:
    return is_question(said) or shows("details", said) or shows("unknown", said), 0.7


def _plain_answer(question: str, said: str, before: str) -> tuple[bool, float]:
    """No rule for the question: yes and no words, then shared words."""
    lean = polarity(said)
    if lean:
        return lean > 0, 0.45 + 0.25 * abs(lean)
    if is_question(said):
        return False, 0.45
    topic = _content(question)
    if topic & _content(said):
        return True, 0.5
    if groups_of(topic) & groups_of(_content(said)):
        return True, 0.4
    return False, 0.35


def _content(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words_of(text) if word not in STOP_WORDS)


def _with_digits(text: str) -> str:
    return re.sub(r"[a-z]+", lambda match: str(_WORD_NUMBERS.get(match[0], match[0])), text.lower())


_RULES: tuple[tuple[str, Rule], ...] = (
    (r"\bask\w* (?:you |the \w+ )?(?:a |any |another )?questions?\b|\bhave (?:a|any) questions?\b", _asked),
    (r"\be-?mail\b", _email),
    (r"\b(?:hint|clue)s?\b|\bask\w* for help\b|\bneed help\b", _act("hint")),
    (r"\b(?:more|further) (?:explanation|detail|information)|\bexplain\w* (?:again|more)|\bclarif", _more),
    (r"\b(?:have|has|had)\b.*\b(?:before|ever|already|experience|familiar)\b", _experienced),
    (r"\b(?:stop|quit|exit|leave|goodbye|say bye)\b|\b(?:end|finish) (?:the|this|our) (?:conv|chat|session|lesson|"
     r"game|quiz)",
     _act("stop")),
    (r"\b(?:change|switch|different|another|new|other) (?:of |the )?(?:topic|subject)|"
     r"\bsomething else\b", _act("topic")),
    (r"\bskip\b", _act("skip")),
    (r"\brepeat\b|\bsay (?:it|that) again\b", _act("repeat")),
    (r"\b(?:move|go|carry|keep) (?:on|ahead|going)\b|\bcontinue\b|\bproceed\b|\bnext\b|\bready\b|\bbegin\b|"
     r"\bstart\b", _onward),
    (r"\b(?:frustrated|angry|upset|unhappy|annoyed|sad|dissatisfied|bad mood|stressed|worried|anxious)\b", _bad_mood),
    (r"\b(?:good mood|happy|satisfied|cheerful|enjoy\w*|feel\w* (?:good|well|better|fine))\b", _good_mood),
    (r"\b(?:swear|offensive|insult|rude)\w*", _act("offence")),
    (r"\bfinished|\bcompleted?\b|\bdone\b", _finished),
    (r"\bcorrect\w*|\bright\b|\baccurate\b", _right),
    (r"\b(?:number|amount|age|how (?:old|many|much)|digits?|quantity)\b", _number),
    (r"\b(?:understand|understood|follow)\w*", _understood),
    (r"\b(?:mention|talk(?:ing|ed)? about|refer)\w*", _mentioned),
    (r"\banswer(?:ed|ing)?\b|\brespond\w*", _answered),
    (r"\b(?:give|gave|provide|state|tell|told|share|specif|describ|explain)\w*", _told),
)  # fmt: skip
