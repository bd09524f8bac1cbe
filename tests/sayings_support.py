"""A small program with questions of every kind, for the tests of transition accuracy."""

from __future__ import annotations

from pathlib import Path

from autograph.evaluation.understanding.examined import Programs

TEA = """\
name,action,instruction,transitions,transition_question,transition_choice_a,transition_choice_b,transition_choice_c,\
condition_interjection,on_unclear,min_confidence,user_instruction_transition_a,user_instruction_transition_b,\
user_interjection,model
start1,python_function,guest = 'Ada',ask,,,,,,,,,,,
ask,chat_exact,"Tea, $guest?","bye,tea",Does $guest want tea?,no,yes,,,,,Say no.,Say yes.,,
tea,chat,Ask which tea.,"green,black,bye",Which tea?,green,black,neither,,bye,0.5,,,,scripted:nobody
green,chat_exact,Green it is.,bye,,,,,,,,,,,
black,chat_exact,"Black for $who, $much.",sort,,,,,,,,,,,
sort,thought_exact,Hm.,"bye,tea",Sure?,yes,no,,,,,,,,
hours,chat_exact,Until six.,resume,,,,,The guest asks for the hours.,,,,,Ask when you close.,
bye,chat_exact,Bye.,quit,,,,,,,,,,,
brew(kind),chat_exact,"Brewing $kind. Sugar?","sweet,plain",Sugar?,yes,no,,,,,,,,
sweet,transition,,return 1,,,,,,,,,,,
plain,transition,,return 0,,,,,,,,,,,
pot,local_function,cups = brew(kinds),bye,,,,,,,,,,,
"""


def tea_house(folder: Path) -> Programs:
    """The program, written to ``tea.csv`` in a folder."""
    (folder / "tea.csv").write_text(TEA, "utf-8")
    return Programs(folder / "tea.csv")
