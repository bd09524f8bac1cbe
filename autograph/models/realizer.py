"""What would a chatbot say to this instruction? Plain speech without a language model.

Sentences of an instruction are taken one by one. Those that say what to ask or tell become speech;
those about manner ("Be brief.") are passed over; those that need understanding ("Explain …") are
answered honestly: no language model is configured.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from autograph.models.speech import question_of, sentence, to_hearer

__all__ = ["spoken", "thought", "user_speech"]

Making = Callable[[re.Match[str], str], str]

_MISSING = "no language model is configured"
_PEOPLE = (
    r"(?:(?:the|your|this) )?(?:user|student|learner|patient|client|customer|candidate|applicant|caller|visitor|guest|"
    r"player|reader|person|participant|them|him|her|everyone|child|agent|bot|assistant|tutor)"
)
_QUOTED = re.compile(r"[\"“«]([^\"”»]+)[\"”»]")
_LEAD = re.compile(
    r"^(?:please|now|then|next|first|second|finally|also|afterwards|instead|again|and|briefly|politely|warmly|kindly|"
    r"gently|simply|you (?:should|must|will|can|need to|are to)|your (?:task|job) is to|try to|in \w+ (?:short )?"
    r"(?:sentences?|words?)|\w+ly)\b,?\s+",
    re.IGNORECASE,
)
_MANNER_END = re.compile(
    r",?\s+(?:(?:very )?(?:politely|briefly|warmly|gently|kindly|clearly|concisely|simply)|"
    r"in (?:an? )?(?:\w+[ ,-]){0,3}(?:way|manner|tone|voice|style|terms|sentences?|words))(?=[.!?]?$)",
    re.IGNORECASE,
)
_MANNER = re.compile(
    r"^(?:be |use |keep |do not |don't |never |avoid |make sure|remember|always |write in |speak |act |you are |"
    r"you're |"
    r"your (?:reply|answer|response)|the (?:user|student|patient|client|customer|candidate) (?:is|was|has|said|"
    r"wants|just)\b|"
    r"stay |limit |if |when |note )",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\?\s*$|^\W*(?:what|why|how|when|where|who|which|can you|could you|would you|do you|are you|is it)\b",
    re.IGNORECASE,
)
_GERUND = re.compile(r"^(?:start|begin|continue|open|finish|end) (?:off )?by (\w+)ing\b", re.IGNORECASE)
_SPLIT = re.compile(
    r"(?:,? and(?: then| also)?|,? then|;) (?=(?:ask|tell|say|thank|greet|introduce|wish|welcome|apologi[sz]e|offer|"
    r"remind|inform|invite|congratulate|suggest|let (?:them|the user))\b)",
    re.IGNORECASE,
)
_NEEDS_MODEL = re.compile(
    r"^(?:explain|summari[sz]e|describe|discuss|give|provide|write|generate|create|compose|list|teach|show|compare|"
    r"analy[sz]e|translate|define|elaborate|paraphrase|comment|help|continue|tell)\b",
    re.IGNORECASE,
)


def spoken(instruction: str, user_text: str | None = None, persona: str = "") -> str:
    """What the chatbot says, in one or more sentences. Never empty."""
    said: list[str] = []
    for part in _parts(instruction):
        text = _one(part, user_text, persona)
        if text and text not in said:
            said.append(text)
    if said:
        return " ".join(said)
    if user_text and user_text.strip():
        return _echo(user_text)
    return f"({_MISSING}, so I can only say: {instruction.strip() or 'hello'})"


def thought(instruction: str) -> str:
    """The stand-in for a thought: it says that there is none."""
    return f"({_MISSING}, so this was not thought about: {_short(instruction)})"


def user_speech(instruction: str) -> str:
    """What a simulated user says to an instruction such as "Say that you agree"."""
    if quoted := _QUOTED.search(instruction):
        return quoted[1]
    text = _of_agent(_stripped(instruction))
    if asks := re.match(rf"ask (?:{_PEOPLE} )?(.+)", text, re.IGNORECASE):
        return _ask(asks, "")
    says = re.match(
        rf"(?:say|claim|state|mention|tell {_PEOPLE})(?: that)?:? (.+)|(?:reply|respond|answer)(?: that| with|:) (.+)",
        text,
        re.IGNORECASE,
    )
    if says:
        return sentence(to_hearer(says[1] or says[2]))
    if re.match(r"(?:agree|accept|confirm|consent)\b", text, re.IGNORECASE):
        return "Yes."
    if re.match(r"(?:disagree|refuse|reject|decline)\b", text, re.IGNORECASE):
        return "No."
    if re.match(r"(?:reply|respond|answer|give|provide|describe|explain)\b", text, re.IGNORECASE):
        return "I am not sure."
    wish = re.match(r"(?:you )?(?:want|would like|need) to (.+)", text, re.IGNORECASE)
    return sentence(f"I want to {wish[1]}") if wish else sentence(to_hearer(text))


def _of_agent(clause: str) -> str:
    """The agent is the one a simulated user speaks to."""
    return re.sub(r"\bthe (?:agent|bot|chatbot|assistant|tutor)\b", "the user", clause, flags=re.IGNORECASE)


def _parts(instruction: str) -> list[str]:
    """The sentences of an instruction; what is quoted stays whole."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\x00{len(kept) - 1}\x00"

    hidden = _QUOTED.sub(keep, instruction.strip())
    sentences = re.split(r"(?<=[.!?\x00])\s+(?=[A-Z\x00\"“])|\n+", hidden)
    parts = [part for text in sentences for part in _SPLIT.split(text) if part.strip()]
    return [re.sub(r"\x00(\d+)\x00", lambda match: kept[int(match[1])], part).strip() for part in parts]


def _stripped(part: str) -> str:
    """A sentence without introductory words and words of manner."""
    text = part.strip()
    while (shorter := _LEAD.sub("", text)) != text:
        text = shorter
    if gerund := _GERUND.match(text):
        verb = gerund[1]
        base = {"introduc": "introduce", "apologiz": "apologize", "welcom": "welcome"}.get(verb.lower(), verb)
        text = base + text[gerund.end() :]
    return _MANNER_END.sub("", text).strip()


def _one(part: str, user_text: str | None, persona: str) -> str:
    text = _stripped(part)
    for pattern, make in _SPEECH_ACTS:
        match = pattern.match(text)
        if match:
            return make(match, persona)
    if re.match(r"(?:respond|reply|react|answer)\b", text, re.IGNORECASE):
        return _echo(user_text) if user_text and user_text.strip() else ""
    if re.match(r"(?:acknowledge|validate|empathi[sz]e|reflect|mirror|listen)\b", text, re.IGNORECASE):
        return f"You said: “{_short(user_text)}”." if user_text and user_text.strip() else ""
    if _NEEDS_MODEL.match(text):
        return _honest(text)
    if _MANNER.match(text):
        return ""
    if text.endswith("?") or re.match(r"[A-Z].*\b(?:is|are|was|were)\b", text):
        return sentence(text)
    return _honest(text)


def _honest(text: str) -> str:
    """What can only be announced, as its subject."""
    if re.match(r"explain\b", text, re.IGNORECASE):
        topic = re.sub(rf"^explain(?: to {_PEOPLE})?:?\s*| to {_PEOPLE}(?=\.?$)", "", text, flags=re.IGNORECASE)
        return f"({_MISSING}, so I cannot explain this in my own words: {_subject(topic)})"
    return f"({_MISSING}, so I cannot do this in my own words: {_subject(text)})"


def _subject(text: str) -> str:
    return _short(to_hearer(text).rstrip(". "))


def _echo(user_text: str) -> str:
    if _QUESTION.search(user_text):
        return f"That I cannot answer: {_MISSING}."
    return f"You said: “{_short(user_text)}”. Thank you for telling me; {_MISSING}, so I cannot say more about it."


def _short(text: str | None, longest: int = 300) -> str:
    flat = " ".join((text or "").split())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"


def _introduction(match: re.Match[str], persona: str) -> str:
    named = re.match(r"(?:\s+to \w+(?: \w+)?)?\s+as\s+(.+)", match[1] or "")
    if named:
        return sentence(f"I am {named[1]}")
    described = re.match(r"\s*you are ([^.\n]+)", persona, re.IGNORECASE)
    return sentence(f"I am {described[1]}") if described else "I am a simple chatbot."


def _tell(match: re.Match[str], _persona: str) -> str:
    rest = match[1].strip()
    quoted = _QUOTED.search(rest)
    if quoted and (quoted.start() == 0 or rest[: quoted.start()].strip().lower() in ("that", "this", "exactly")):
        return quoted[1]
    lowered = rest.lower()
    if lowered.startswith("that "):
        return sentence(to_hearer(rest[5:]))
    if lowered.startswith(("to ", "not to ")):
        negated, verb = lowered.startswith("not "), re.sub(r"^(?:not )?to ", "", rest, flags=re.IGNORECASE)
        return sentence(f"please {'do not ' if negated else ''}{to_hearer(verb)}")
    if lowered.startswith(("about ", "what ", "why ", "how ", "when ", "where ", "who ", "which ", "more ")):
        return f"(I would tell you {_subject(rest)}, but {_MISSING})"
    return sentence(to_hearer(rest.lstrip(": ")))


def _literal(match: re.Match[str], _persona: str) -> str:
    """Text after a colon is said as it stands."""
    text = match[1].strip()
    quoted = _QUOTED.fullmatch(text.rstrip("."))
    return quoted[1] if quoted else text


def _ask(match: re.Match[str], _persona: str) -> str:
    rest = match[1].strip().lstrip(": ")
    if quoted := _QUOTED.search(rest):
        return quoted[1]
    lowered = rest.lower()
    if lowered.startswith("to "):
        return sentence(f"please {to_hearer(rest[3:])}")
    if lowered.startswith("for "):
        return _ask_for(to_hearer(rest[4:]))
    if lowered.startswith("about "):
        return sentence(f"could you tell me about {to_hearer(rest[6:]).rstrip('.')}", "?")
    about = re.match(
        r"(?:an?|another|one|some|the next|\w+)?\s*(?:\w+[- ])?questions? (?:about|on|regarding) (.+)", rest
    )
    if about:
        return sentence(f"what can you tell me about {to_hearer(about[1]).rstrip('.')}", "?")
    return question_of(to_hearer(rest))


def _ask_for(wanted: str) -> str:
    wanted = wanted.rstrip(". ")
    if re.fullmatch(r"your [\w-]+(?: (?:name|number|address|date|age|title|city))?", wanted):
        return sentence(f"what is {wanted}", "?")
    return sentence(f"could you give me {wanted}", "?")


def _greet(match: re.Match[str], persona: str) -> str:
    rest = match[1]
    name = re.match(r" (?:by name )?(?:as|by the name) ([A-Z]\w+)", rest)
    hello = f"Hello, {name[1]}!" if name else "Hello!"
    introduction = re.search(r"and introduce yourself(.*)", rest, re.IGNORECASE)
    return f"{hello} {_introduction(introduction, persona)}" if introduction else hello


def _with_rest(before: str, after: str, alone: str) -> Making:
    """A set phrase, with what the instruction adds to it."""

    def make(match: re.Match[str], _persona: str) -> str:
        rest = to_hearer((match[1] or "").strip()).rstrip(". !")
        return sentence(f"{before}{rest}", after) if rest else alone

    return make


def _offer(match: re.Match[str], _persona: str) -> str:
    rest = to_hearer(match[1].strip()).rstrip(". ")
    if rest.startswith("to "):
        return sentence(f"I can {rest[3:]} if you like")
    return sentence(f"would you like {rest}", "?")


def _act(
    pattern: str, make: Callable[[re.Match[str], str], str]
) -> tuple[re.Pattern[str], Callable[[re.Match[str], str], str]]:
    return re.compile(pattern.replace("PEOPLE", _PEOPLE), re.IGNORECASE | re.DOTALL), make


_SPEECH_ACTS = (
    _act(r"(?:say|tell PEOPLE|reply|respond|answer|write)(?: exactly| with| this)?:\s*(.+)", _literal),
    _act(r"(?:say|reply|respond|answer)(?: exactly| with| just| only)* ([\"“].+)", _tell),
    _act(r"say (?:good ?bye|bye|farewell)\b(.*)", lambda _match, _persona: "Goodbye!"),
    _act(r"say (?:hello|hi)\b(.*)", _greet),
    _act(r"say (that .+)", _tell),
    _act(r"(?:tell|inform|remind|notify|let|assure|warn) PEOPLE (?:know )?(.+)", _tell),
    _act(r"(?:confirm|mention|point out|state|announce|emphasi[sz]e|note|admit) (that .+)", _tell),
    _act(r"ask(?: PEOPLE)?:\s*(.+)", _literal),
    _act(r"ask PEOPLE (.+)", _ask),
    _act(r"ask (?-i:[A-Z]\w+) ((?:whether|if|for|about|to|how|what|why|when|where|who|which)\b.+)", _ask),
    _act(r"(?:ask|inquire|enquire|find out)[ :]\s*(.+)", _ask),
    _act(r"(?:invite|encourage|instruct|advise|request|urge) PEOPLE (to .+)", _ask),
    _act(r"(?:greet)(?: PEOPLE)?(.*)", _greet),
    _act(r"welcome(?: PEOPLE)?(.*)", _with_rest("welcome ", "!", "Welcome!")),
    _act(r"introduce yourself(.*)", _introduction),
    _act(r"thank(?: PEOPLE)?(.*)", _with_rest("thank you ", "!", "Thank you!")),
    _act(r"apologi[sz]e(?: to PEOPLE)?(.*)", _with_rest("I am sorry ", ".", "I am sorry.")),
    _act(r"congratulate(?: PEOPLE)?(.*)", _with_rest("congratulations ", "!", "Congratulations!")),
    _act(r"(?:praise|compliment)(?: PEOPLE)?(.*)", _with_rest("well done ", "!", "Well done!")),
    _act(r"encourage(?: PEOPLE)?(.*)", lambda _match, _persona: "You can do it!"),
    _act(r"wish (?:PEOPLE )?((?:a|an|good|all|the|much) .+)", _with_rest("I wish you ", "!", "All the best!")),
    _act(r"(?:end|close|finish|conclude) the (?:conversation|chat|session)(.*)", lambda _match, _persona: "Goodbye!"),
    _act(r"offer (?:PEOPLE )?(.+)", _offer),
    _act(r"(?:suggest|recommend|propose)(?: to PEOPLE)? (.+)", _with_rest("I suggest ", ".", "")),
)
