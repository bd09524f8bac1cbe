"""What does a user's text show on its face? Question form, yes and no, numbers, wishes."""

from __future__ import annotations

import re

from autograph.models.lexicon import word_set, words_of

__all__ = ["ACTS", "has_email", "has_number", "is_question", "polarity", "shows"]

_QUESTION_START = re.compile(
    r"^(?:(?:wait|sorry|ok|okay|so|and|but|well|hmm?|um|hi|hello|hey|please|yes|yeah|no)[,. ]+)*"
    r"(?:what|who|whom|whose|why(?! not\b)|how|when|where|which|can|could|would|will|is|are|was|were|do|does|did|"
    r"should|may|might|have|has|am|isn't|aren't|don't|doesn't|didn't|can't|couldn't|won't|what'?s|who'?s|where'?s|how'?s|"
    r"tell me (?:more|what|why|how|who|about)|explain|i(?:'m| was| am)? wonder(?:ing)?|i have a question(?=[:,] ?\w))\b"
)
_YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|ya|yea|sure|ok|okay|okey|of course|certainly|absolutely|definitely|indeed|correct|right|"
    r"exactly|true|agreed?|(?<!good )(?<!great )deal|fine|gladly|(?:sounds|looks|seems|all) (?:good|great|fine)|"
    r"(?:would|will|does|that) suits?|suits me|(?:would|that) works?|can (?:live|work) with|"
    r"why not|let's|let us|i do|i am|i have|i did|"
    r"i will|i would|i'd love|please do|go ahead|go for it|works for me|ready|affirmative|got it|makes sense|"
    r"i see|i understand|understood|that helps|good idea|you bet|count me in|i'm in|perfect|done|finished|all of it)\b"
)
_NO = re.compile(
    r"\b(?:no|nope|nah|never|not|none|nothing|neither|cannot|can't|don't|doesn't|didn't|won't|wouldn't|isn't|aren't|"
    r"wasn't|haven't|hasn't|couldn't|disagree|refuse|decline|hardly|rather not|hold on|wait|later|half|almost|nearly|"
    r"partly|some of it|too (?:much|little|low|high|expensive|hard|long|late|early)|more than i|false|wrong|"
    r"unfortunately|give me|"
    r"without|skip|pass|still|unsure|confused|stop|useless)\b"
)
_POLITE_NO = re.compile(r"\bnot yet\b|\bno,? (?:thanks?|thank you)\b|^\W*no\b|^\W*nope\b|^\W*nah\b")
_HIDDEN_YES = re.compile(
    r"\bno (?:problem|doubt|worries)\b|\bwhy not\b|\bcan(?:no|')t wait\b|\bnot (?:bad|at all bad)\b|"
    r"\bcould(?:n't| not) (?:ask for more|be better|agree more)\b|\bdon't mind\b"
)
_NUMBER_WORDS = word_set(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen"
)

ACTS: dict[str, tuple[str, str]] = {
    # act: (how a choice names it, how a user's text shows it)
    "stop": (
        r"\b(?:stop|quit|end|leave|exit|finish|terminate|close)\b(?!.*\b(?:subscription|order|flight|account)\b)|"
        r"goodbye",
        r"\b(?:stop|quit|exit|enough|bye|goodbye|good ?night|i'm done|that's all|that is all|see you|have to go|"
        r"gotta go|need to go|i'm out|let's end|no more|leave me alone|end (?:this|the|it)|call it a day|"
        r"(?:finish|finished|end) (?:here|now|for today)|forget (?:it|the whole)|never ?mind|leave it|withdraw|"
        r"(?:have |i )changed my mind|cancel (?:it|this|that|my|the|everything|please)|please cancel)\b",
    ),
    "hint": (
        r"\bhints?\b|\bclues?\b|\bhelp\b",
        r"\bhints?\b|\bclues?\b|\bhelp\b|\bstuck\b|\bgive me (?:something|a tip)\b|\bno idea where to start\b|"
        r"\bpointers?\b",
    ),
    "skip": (
        r"\bskips?\b|\bnext (?:one|question)\b|\bpass\b",
        r"\bskip\b|\bnext\b|^\W*pass\b|\bmove on\b|\bdon't want to answer\b|\banother (?:one|question)\b",
    ),
    "topic": (
        r"\bchang\w+ (?:the |of )?(?:topic|subject)|\b(?:different|another|new|other) (?:topic|subject|thing)|"
        r"\bavoid\w*\b|\bsomething else\b",
        r"\b(?:something|anything) else\b|\b(?:different|another|new|other|change the|change of) (?:topic|subject)\b|"
        r"\bchange the subject\b|\blet's talk about\b|\btalk about (?:something|another)|\brather not (?:talk|say|"
        r"discuss)\b|"
        r"\bdon't want to talk\b|\bnot (?:going to|gonna) (?:talk|discuss)\b|\binstead\W*$|\bswitch to\b|"
        r"\b(?:go|skip|jump|move) (?:on )?to (?:unit|chapter|lesson|part|level)\b|"
        r"\b(?:different|another|other) (?:unit|chapter|lesson|theme|part)\b|"
        r"\brather (?:do|learn|practi[sc]e|try|work on)\b",
    ),
    "back": (
        r"\bgo(?:es)? back\b|\breturn to\b|\bprevious (?:topic|question|step)\b",
        r"\b(?:go|went|get|come|return)\w* (?:back )?to (?:what|the|our|where)\b|\bgo back\b|\bbefore that\b|"
        r"\bearlier\b|"
        r"\bprevious\b|\bdiscussed before\b",
    ),
    "repeat": (
        r"\brepeat|\bsay (?:it|that) again\b|\brephrase\b",
        r"\bagain\b|\brepeat\b|\bpardon\b|\bdidn't (?:hear|catch|get)\b|\brephrase\b|\bcome again\b|"
        r"\bwhat did you (?:say|ask)\b|"
        r"\bwhat was (?:the|your) question\b|\bonce more\b|\bone more time\b|"
        r"^\W*(?:(?:sorry|pardon|wait|um)\W+)?(?:what|huh|sorry)\W*$",
    ),
    "definition": (
        r"\bdefin|\bmeaning of\b|\bwhat a word means\b|\bmeans\b",
        r"\bwhat(?:'s| is| does| do)?\b.*\bmeans?\b|\bdefin\w+|\bmeaning\b|\bwhat is an? \w+\W*$|"
        r"\bdon't know th(?:e|at) word\b",
    ),
    "identity": (
        r"\bwho (?:the|you|it|this)\b|\bwho .*(?:bot|assistant|agent)\b|\bwhether .*(?:human|bot|ai|robot)\b|"
        r"\bidentity\b",
        r"\bwho (?:are|r|is) (?:you|u|this)\b|\bwhat are you\b|\bare you (?:a |an |even )?(?:\w+ )?"
        r"(?:bot|robot|human|person|real|ai|machine|computer)\b|\byour name\b|\bwho (?:made|built|am i)\b|"
        r"\b(?:am|do) i (?:talk|speak|chat|writ)\w* (?:to|with)\b|"
        r"\b(?:is|are|r) (?:you|u|this|that|it|there)\b.*\b(?:bot|robot|human|machine|computer|chat ?gpt|ai)\b|"
        r"\bsound like a (?:bot|robot|machine|computer)\b",
    ),
    "human": (
        r"^(?!.*\bwhether\b).*\b(?:talk|speak|chat|connect\w*|transfer\w*)\b.*"
        r"\b(?:humans?|person|agent|operator|staff|representative|somebody|someone)\b",
        r"\b(?:can|could|may|let|want|like|rather|please|need|prefer)\b.*\b(?:talk|speak|chat)\w* (?:to|with) "
        r"(?:an? |the |your |some)?(?:\w+ )?(?:human|person|people|one|body|somebody|someone|agent|operator|"
        r"colleagues?|staff|manager)\b|"
        r"\b(?:a|real|actual|live) (?:human|person)\b(?!.*\bor\b)|\boperator\b|\brepresentative\b|"
        r"\b(?:some(?:body|one)|anyone) (?:i can |please |to )?(?:call|phone|ring)\b|\b(?:call|phone) me(?: back)?\W*$",
    ),
    "privacy": (
        r"\bprivacy\b|\b(?:their|personal|my) data\b|\bconfidential",
        r"\bprivacy\b|\bconfidential\w*|\b(?:my|personal) (?:data|information)\b|"
        r"\bwho (?:else |can |could |will )*(?:reads?|sees?|gets?|has access)\b|\bdata protection\b|"
        r"\b(?:safe|secure) with you\b|\b(?:what|where|how long|why|do you|will you)\b.*"
        r"\b(?:stored?|keep|kept|share|sell|save|saved|pass (?:it|this|that) on)\b|"
        r"\bwhat (?:do|will) you do with\b",
    ),
    "danger": (
        r"\b(?:in|mortal|great) danger\b|\bemergency\b|\blife[- ]threatening\b",
        r"\b(?:chest|heart) (?:pain|attack|hurts)|\bpain in (?:my|his|her|the) chest\b|\bstroke\b|\bunconscious\b|"
        r"\bcollapsed\b|\bpassed out\b|\boverdos\w+|\bbleed(?:s|ing)?\b.*\b(?:a lot|badly|heavily|stop)\b|"
        r"\b(?:can't|cannot|can not|hardly|barely|no) (?:breathe?|air)\b|\bget no air\b|\bi(?:'m| am) dying\b|"
        r"\blike (?:i'm|i am) dying\b|\b(?:kill(?:ing)? myself|end my life|suicid\w*|"
        r"want to die|emergency|ambulance)\b",
    ),
    "crisis": (
        r"\bsuicid\w*|\bself[- ]?harm|\bkill(?:ing)? (?:him|her|them)sel|\bhurt(?:ing)? (?:him|her|them)sel|\bcrisis\b",
        r"\bsuicid\w*|\bkill(?:ing)? myself\b|\bend (?:my life|it all)\b|\b(?:want to|wanna|rather) die\b|\bbe dead\b|"
        r"\b(?:don't|do not|no longer) want to (?:live|be here|exist|wake up)\b|\bno (?:reason|point) (?:to|in) liv\w+|"
        r"\b(?:hurt|harm|cut|cutting|hurting|harming)(?: \w+)? (?:myself|arms?|wrists?|legs?)\b|"
        r"\bbetter off without me\b",
    ),
    "offence": (
        r"\boffensive\b|\binsult\w*|\bswear\w*|\brude\b|\babusive\b|\bprofan\w+|\bcurs(?:es|ing)\b",
        r"\b(?:stupid|idiot\w*|dumb|moron|crap|shit\w*|fuck\w*|damn|hell|bitch|asshole|bastard|shut up|sucks?|jerk|"
        r"loser|"
        r"piece of|screw you|hate you)\b",
    ),
    "thanks": (r"\bthank\w*", r"\bthank\w*|\bthx\b|\bcheers\b|\bappreciate\b"),
    "price": (
        r"\bprices?\b|\bcosts?\b|\bfees?\b",
        r"\bhow much\b|\bprice\w*|\bcosts?\b|\bfees?\b|\bexpensive\b|\bcheap\w*|\brates?\b|\bdiscount\b|"
        r"\b(?:dollars|euros)\b",
    ),
    "hours": (
        r"\b(?:opening|business|office) (?:hours|times)\b|\bwhen .*open\b",
        r"\bwhat time\b|\bopen(?:ing|s)?\b|\bclos(?:e|es|ing)\b|\bhours\b|\b(?:on|at) (?:sundays?|saturdays?|"
        r"weekends?)\b",
    ),
    "contact": (
        r"\bcontact\b|\bphone number\b|\baddress\b",
        r"\b(?:phone|number|email|e-mail|address|call you|contact|reach you)\b",
    ),
    "blame": (
        r"\bblam\w+",
        r"\b(?:his|her|their|'s|your) fault\b|\bbecause of (?:him|her|them|you)\b|\b(?:he|she|they|you) (?:made|"
        r"started|forced)\b|"
        r"\bblame (?:him|her|them)\b",
    ),
    "responsible": (
        r"\bresponsib\w+|\bapologi\w+|\badmits?\b|\bown(?:s|ed)? (?:up|it)\b",
        r"\b(?:my (?:fault|mistake|bad)|on me|i should(?:n't)? have|i was wrong|i messed up|i'm sorry|i apologi[sz]e|"
        r"blame (?:me|myself)|i take|i regret)\b",
    ),
    "details": (
        r"\bmore (?:details?|information|explanation)\b|\bfollow-?up\b|\bclarif\w+|\bexplanation\b",
        r"\?|\bhow (?:long|much|many|often|does|do|can)\b|\btell me more\b|\bmore (?:about|detail|info)\b|"
        r"\bwhat (?:about|do you mean)\b|"
        r"\bexplain\b|\bwhich\b",
    ),
    "accepted": (
        r"^(?:\w+ )*accept\w*|\bagree[sd]?\b|\btook the (?:advice|suggestion)\b",
        r"\b(?:i'll|i will|let me|let's|i can|i'm going to) (?:try|do|give|start|take|go)\b|\bgood idea\b|"
        r"\bsounds (?:good|great|nice|fine)\b|"
        r"\bsure\b|\bok(?:ay)?\b|\bdeal\b|\byes\b|\bthanks?\b|\bwill do\b|\bwhy not\b",
    ),
    "rejected": (
        r"\breject\w*|\brefus\w+|\bdeclin\w+|\bdisagree\w*|\bturned? .*down\b",
        r"\balready (?:tried|did|do)\b|\b(?:did|does|do|would|will)(?:n't| not) (?:help|work|want|like|think|"
        r"think so)\b|\bno\b|\bnope\b|"
        r"\bnot (?:for me|interested|going to)\b|\bi can't\b|\bnever\b|\brather not\b|\bwon't\b|\bpointless\b",
    ),
    "praise": (
        r"\bpositive\b|\bprais\w+|\bcompliment\w*|\bsatisfied\b",
        r"\blove\b|\bgreat\b|\bawesome\b|\bamazing\b|\bexcellent\b|\bgood job\b|\bwell done\b|\bthank\w*|"
        r"\bfantastic\b|\bbrilliant\b",
    ),
    "complaint": (
        r"\bcomplain\w*|\bfrustrat\w+|\bnegative\b|\bannoyed\b|\bdissatisfied\b|\bunhappy\b",
        r"\b(?:useless|terrible|awful|ridiculous|annoying|annoyed|frustrat\w+|fed up|sick of|worst|nothing works|"
        r"waste of|"
        r"still waiting|waiting for an|hate|unacceptable|disappointed|not working|doesn't work|broken|ugh|give up)\b",
    ),
    "unknown": (
        r"\b(?:does not|doesn't|did not|didn't) know\b|\bunsure\b|\bnot sure\b|\buncertain\b|\bconfus\w+|"
        r"\b(?:does not|doesn't|did not|didn't) understand\b",
        r"\b(?:don't|do not|dunno|didn't) (?:know|understand|get)\b|\bno idea\b|\bnot sure\b|\bunsure\b|\bno clue\b|"
        r"\bconfus\w+|"
        r"\blost\b|\bdunno\b|\bidk\b",
    ),
}  # fmt: skip


def shows(act: str, text: str) -> bool:
    """Whether a user's text shows an act of ``ACTS``."""
    return bool(re.search(ACTS[act][1], _plain(text)))


def is_question(text: str) -> bool:
    """Whether a text asks something: a question mark, or the form of a question."""
    plain = _plain(text)
    return "?" in text or bool(_QUESTION_START.match(plain))


def has_number(text: str) -> bool:
    """Whether a text has a number, in digits or as a word (a lone "one" is none)."""
    if re.search(r"\d", text):
        return True
    words = [part for word in words_of(text) for part in word.split("-")]
    found = [word for word in words if word in _NUMBER_WORDS]
    return bool(found) and (found != ["one"] or len(words) == 1)


def has_email(text: str) -> bool:
    """Whether a text has an e-mail address."""
    return bool(re.search(r"[\w.+-]+@[\w-]+\.[\w.-]+", text))


def polarity(text: str) -> float:
    """How much a text says yes (up to 1) or no (down to -1); 0 if it says neither."""
    plain = _plain(text)
    hidden = len(_HIDDEN_YES.findall(plain))
    plain = _HIDDEN_YES.sub(" ", plain)
    if _POLITE_NO.search(plain):
        return -1.0
    yes, no = len(_YES.findall(plain)) + hidden, len(_NO.findall(plain))
    if re.match(r"\W*(?:actually |oh |well,? )?(?:yes|yeah|yep|yup|sure|of course|great|perfect|excellent)\b", plain):
        return 1.0 if no == 0 else 0.6
    if yes == no:
        return 0.0 if yes == 0 else -0.3
    return (yes - no) / (yes + no)


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split())
