"""Which words belong together? Small groups of everyday English, for the offline rules."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["STOP_WORDS", "groups_of", "stem", "word_set", "words_of"]


def word_set(text: str) -> frozenset[str]:
    """The words of a text that are separated by blanks."""
    return frozenset(text.split())


STOP_WORDS = word_set(
    """a an the and or but if of to in on at by for from with about into than then as so is are was were be been being
    am do does did done doing has have had having will would can could should may might must shall i me my mine we us
    our you your yours he him his she her it its they them their this that these those there here what which who whom
    whose when where why how not no nor just also too very really please user users wants want like does asks asked ask
    asking says said say talk talks talking describes expresses mentions mention uses bot chatbot assistant agent reply
    message last more some any one other up out get got gets let going go need needs person someone something thing"""
)

_GROUPS = """
price cost charge fee expensive cheap pay payment bill invoice money refund afford much credit card euro dollar
order package parcel deliver shipment ship shipping tracking arrive
return exchange refund sendback wrong size replace defective
cancel cancellation unsubscribe terminate refund calloff
book reserve reservation booking travel fly trip
baggage luggage suitcase bag carry-on backpack
check-in boarding pass gate
password login log-in sign-in locked account username signin reset credentials
human representative operator staff supervisor manager real
technical issue bug crash error freeze broken glitch app website spin load work install update log-in screen fail slow
feedback love great awesome amazing thanks excellent job wonderful fantastic compliment positive
complaint complain terrible awful worst disappointed unacceptable
hours open close opening closing hour weekend holiday schedule
contact phone number address email call reach telephone
location where address located directions street parking map
work job boss colleague coworker office deadline manager career workload promotion fired shift
relationship girlfriend boyfriend wife husband partner marriage divorce spouse dating breakup fiance
family mother father mom dad brother sister son daughter parent child kid uncle aunt grandmother
friend friendship buddy roommate
health migraine headache pain sick doctor ill illness disease fever cough hurt ache sleep medication symptom stomach
school exam homework teacher class grade study test university college lesson student
happy glad joy great wonderful excited fantastic good delighted cheerful pleased thrilled
bad sad down meh depressed cry lonely unhappy miserable heartbroken grief blue tears miss
angry furious mad annoyed irritated rage upset hate outraged
anxious nervous worry worried afraid scared racing panic stress stressed tense fear
tired exhausted sleepy drained worn
bored boring dull
confused lost unsure puzzled understand unclear
easy gentle simple beginner basic start starting novice light
medium intermediate moderate middle average normal
hard difficult challenge challenging tough advanced expert
mild slight little bit barely minor light
severe unbearable excruciating terrible awful worst intense extreme agony
morning am breakfast early sunrise dawn
afternoon noon lunch midday
evening night pm dinner late sunset tonight after-work
today now immediately asap urgent
tomorrow next
italian pizza pasta spaghetti lasagna risotto
japanese sushi ramen tempura sashimi udon
mexican taco burrito quesadilla nachos enchilada salsa
indian curry naan tandoori masala biryani samosa
chinese dumpling noodles wok dimsum
french croissant baguette crepe
space planet rocket star moon astronaut galaxy mars universe
dinosaur fossil trex jurassic raptor
ocean sea whale shark fish coral wave marine dolphin
animal dog cat pet horse bird zoo
nature forest tree plant mountain river
sport football soccer tennis basketball swim run gym team
music song band guitar sing concert piano album
movie film cinema series actor
history war ancient king century empire roman medieval
science physics chemistry biology experiment
math maths algebra equation number geometry fraction calculate
language spanish french german english translate
reading read book page novel text comprehension
comprehension understand forget meaning
vocabulary word definition meaning mean term
spelling spell letter
punctuation comma period apostrophe colon semicolon
grammar verb tense noun sentence
writing write essay
video watch clip film zoom skype youtube online webcam
practice practicing hands do exercise try hands-on
listening listen audio podcast hear
person meet face office visit
tea coffee drink cup
vegetarian vegan meat vegetable
window view look outside
aisle legs stretch
car drive driving parking
train rail station
bus coach
plane flight airport fly
basic cheapest lowest smallest least free
premium best top highest everything full
problem trouble issue
blame fault because guilty
responsibility sorry me mistake should
weather rain sun sunny snow cold hot
"""

_SUFFIXES = ("ations", "ation", "ings", "ing", "edly", "ied", "ies", "ed", "ers", "es", "ly", "s")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; apostrophes are part of a word."""
    return re.findall(r"[a-z0-9]+(?:['’-][a-z0-9]+)*", text.lower().replace("’", "'"))


@cache
def stem(word: str) -> str:
    """A word without its usual endings; crude, but the same for all forms that matter."""
    word = word.removesuffix("'s")
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)] + ("y" if suffix in ("ied", "ies") else "")
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@cache
def _index() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(_GROUPS.split("\n")):
        for word in line.split():
            found.setdefault(stem(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


def groups_of(stems: frozenset[str]) -> frozenset[int]:
    """The groups that the stems belong to."""
    index = _index()
    return frozenset(number for word in stems for number in index.get(word, ()))
