"""How does "why they think so" become "Why do you think so?"? Turning clauses, in plain English."""

from __future__ import annotations

import re

from autograph.models.lexicon import word_set

__all__ = ["question_of", "sentence", "to_hearer"]

_AUXILIARIES = word_set("are is was were will would can could should may might must did do does has have")
_DETERMINERS = word_set("the a an this that these those my your their his her its our some any")
_WH = ("what", "why", "how", "when", "where", "which", "who", "whom", "whose")
_PAST = {
    "went": "go", "felt": "feel", "thought": "think", "saw": "see", "came": "come", "said": "say", "got": "get",
    "made": "make", "took": "take", "knew": "know", "found": "find", "wrote": "write", "ate": "eat", "slept": "sleep",
    "spent": "spend", "left": "leave", "met": "meet", "chose": "choose", "bought": "buy", "learnt": "learn",
    "heard": "hear", "understood": "understand", "began": "begin", "told": "tell", "gave": "give", "had": "have",
    "used": "use", "did": "do", "hoped": "hope",
    "created": "create", "invited": "invite", "agreed": "agree", "struggled": "struggle", "read": "read",
    "liked": "like", "noticed": "notice", "decided": "decide", "enjoyed": "enjoy",
}  # fmt: skip
_SWAPS = {
    "they": "you", "them": "you", "their": "your", "theirs": "yours", "themselves": "yourself",
    "themself": "yourself", "they've": "you've", "they'd": "you'd", "they'll": "you'll",
    "you": "I", "your": "my", "yours": "mine", "yourself": "myself", "you've": "I've",
    "you'd": "I'd", "you'll": "I'll",
}  # fmt: skip
_PEOPLE = word_set(
    "user student learner patient client customer candidate applicant caller visitor guest player reader person "
    "human participant employee child member"
)
_PERSON = re.compile(rf"\b(?:the|this|our) (?:{'|'.join(sorted(_PEOPLE))})('s)?(?= |\b)", re.IGNORECASE)
_THIRD_TO_BASE = {"is": "are", "has": "have", "was": "were", "does": "do", "doesn't": "don't", "isn't": "aren't",
                  "wasn't": "weren't", "hasn't": "haven't"}  # fmt: skip


def to_hearer(text: str) -> str:
    """A clause about "the user" and "you" (the bot) as the bot says it: about "you" and "I"."""
    text = re.sub(r"\b(you|they)['’]re\b", r"\1 are", text, flags=re.IGNORECASE)
    text = re.sub(r"\band that (?=you|they)", "and ", text)
    text = re.sub(r"\bhe or she\b|\bhe/she\b|\bs/he\b", "they", text, flags=re.IGNORECASE)
    text = re.sub(r"\bhis or her\b|\bhis/her\b", "their", text, flags=re.IGNORECASE)
    text = re.sub(r"\bhim or her\b|\bhim/her\b", "them", text, flags=re.IGNORECASE)
    text = re.sub(r"\byou (are|were)\b", lambda m: f"you {'am' if m[1] == 'are' else 'was'}", text)
    text = re.sub(rf"{_PERSON.pattern}( \w+(?:n't)?)?", _person, text, flags=re.IGNORECASE)
    swapped = re.sub(r"[A-Za-z]+(?:['’][a-z]+)?", _swap, text)
    return re.sub(
        r"(?<=\w )I(?= *(?:$|[.,;!?]))|\b(to|for|with|about|from|of|tell|ask|give|let|want|need|help) I\b",
        _object,
        swapped,
    )


def _person(match: re.Match[str]) -> str:
    following = match[2] or ""
    if match[1]:
        return "their" + following
    verb = following.strip().lower()
    if verb in _THIRD_TO_BASE:
        return f"they {_THIRD_TO_BASE[verb]}"
    if re.fullmatch(
        r"(?:want|need|like|think|feel|know|prefer|understand|agree|live|work|say|mean|enjoy|believe)s", verb
    ):
        return f"they {verb[:-1]}"
    return "they" + following


def _swap(match: re.Match[str]) -> str:
    return _SWAPS.get(match[0].lower().replace("’", "'"), match[0])


def _object(match: re.Match[str]) -> str:
    return f"{match[1]} me" if match[1] else "me"


def sentence(text: str, end: str = ".") -> str:
    """``text`` with a capital at its beginning and a mark at its end."""
    text = text.strip().rstrip(",;:")
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text[-1] in '.!?…)"”' else text + end


def question_of(clause: str) -> str:
    """An indirect question (already turned ``to_hearer``) as a direct one.

    Where the word order is beyond these rules, it becomes "Could you tell me …?".
    """
    clause = clause.strip().rstrip(".?! ")
    words = clause.split()
    if not words:
        return ""
    first = words[0].lower()
    if first in ("if", "whether"):
        body = re.sub(r"\s+or not$", "", " ".join(words[1:]))
        inverted = _inverted(body)
        return sentence(inverted, "?") if inverted else sentence(f"could you tell me whether {body}", "?")
    if first not in _WH:
        return sentence(clause, "?")
    return sentence(_wh_question(words) or f"could you tell me {clause}", "?")


def _wh_question(words: list[str]) -> str | None:
    if len(words) > 1 and words[1].lower() in _AUXILIARIES:
        return " ".join(words)  # already in the order of a question
    lowered = [word.lower() for word in words]
    starts = [place for place, word in enumerate(lowered) if place and word in ("you", "i")]
    head = starts[0] if starts else None
    if head is None or head > 5 or any(word in _DETERMINERS for word in lowered[1:head]):
        place = next((p for p, word in enumerate(lowered) if p and word in _DETERMINERS), None)
        if place is None or place > 3:
            return None
        head = place
    inverted = _inverted(" ".join(words[head:]))
    return f"{' '.join(words[:head])} {inverted}" if inverted else None


def _inverted(body: str) -> str | None:
    """A statement in the word order of a question, or ``None``."""
    words = body.split()
    if not words:
        return None
    subject = words[0].lower()
    if subject in ("you", "i", "they", "we") or subject == "there":
        return _after_pronoun(words)
    for place, word in enumerate(words[1:], 1):
        if word.lower() in _AUXILIARIES - {"do", "have"}:
            if any(inner.lower() in ("that", "who", "which", "you", "and") for inner in words[:place]):
                return None
            return " ".join([word.lower(), *words[:place], *words[place + 1 :]])
    return None


def _after_pronoun(words: list[str]) -> str | None:
    subject, rest = words[0], words[1:]
    if not rest:
        return None
    verb = rest[0].lower()
    if verb == "am" or (verb in _AUXILIARIES and not _is_main_verb(verb, rest)):
        return " ".join([verb, subject, *rest[1:]])
    if subject.lower() == "there":
        return None
    place = 1 if verb.endswith("ly") or verb in ("already", "still", "ever", "just", "also", "never", "often") else 0
    if len(rest) <= place:
        return None
    main = rest[place].lower()
    if main in _PAST or (main.endswith("ed") and main not in ("need", "feed", "proceed", "succeed", "speed", "exceed")):
        rest[place] = _PAST.get(main) or _base(main)
        return " ".join(["did", subject, *rest])
    return " ".join(["do", subject, *rest])


def _is_main_verb(verb: str, rest: list[str]) -> bool:
    """Whether ``have`` or ``do`` is the verb itself and no auxiliary."""
    if verb not in ("have", "has", "do", "does", "did"):
        return False
    following = rest[1].lower() if len(rest) > 1 else ""
    if verb in ("have", "has"):
        participle = following.endswith(("ed", "en", "wn")) or following in (
            "been", "had", "made", "read", "done", "ever", "already", "not", "never", "understood", "thought", "had",
            "got", "heard", "tried", "met", "felt", "found", "left", "lost", "said", "gone", "come", "recently",
        )  # fmt: skip
        return not participle
    return following != "not"


def _base(past: str) -> str:
    if past.endswith("ied"):
        return past[:-3] + "y"
    stem = past[:-2]
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsf":
        return stem[:-1]
    if stem.endswith("v"):
        return stem + "e"
    silent = re.search(r"(?:[^aeiou][aiou][bcdgkmprstvz]|[cgsv]|[aeiou]te?t|ag|ng)$", stem)
    if silent and not re.search(r"(?:[aeiou]{2}[^aeiou]|ss|st|ct|nt|rt|pt|ck|en|er|on|in|it|op)$", stem):
        return stem + "e"
    return stem
