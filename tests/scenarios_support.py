"""A small café, a guest who is a program, and scenarios in it, for the tests of scenarios."""

from __future__ import annotations

from pathlib import Path

SHOP = """\
name,action,instruction,transitions,transition_question,transition_choice_a,transition_choice_b
start1,python_function,open = True,ask,,,
ask,chat_exact,What may I bring you?,note,,,
note,python_function,order = _last_user_reply,more,,,
more,chat_exact,How many?,count,,,
count,python_function,cups = int(_last_user_reply) if _last_user_reply.isdigit() else 0,sure,,,
sure,chat_exact,"$cups $order, right?","done,ask",Does the guest say yes?,yes,no
done,chat_exact,It comes at once.,quit,,,
"""

GUEST = """\
nodes:
  start1: {action: chat_exact, instruction: coffee, transitions: two}
  two: {action: chat_exact, instruction: "2", transitions: sure}
  sure: {action: chat_exact, instruction: "yes please", transitions: bye}
  bye: {action: chat_exact, instruction: bye, transitions: quit}
"""

SCENARIOS = """\
- name: two teas
  type: ordering
  user: [tea, "2", "yes"]
  goal: finished and order == "tea" and cups == 2
- name: one coffee
  type: ordering
  user: [coffee, one, "yes"]
  goal: cups == 1
  steps: 4
- name: changes his mind
  type: changing
  user: [tea, "2", "no", coffee, "1", "yes"]
  goal: finished and order == "coffee"
  steps: 6
"""


def cafe(folder: Path) -> None:
    """Write the café's files. ``lenient.csv`` takes a number it does not understand for one, ``shop.csv`` for none."""
    (folder / "shop.csv").write_text(SHOP, "utf-8")
    (folder / "lenient.csv").write_text(SHOP.replace("isdigit() else 0", "isdigit() else 1"), "utf-8")
    (folder / "guest.yaml").write_text(GUEST, "utf-8")
    (folder / "shop.scenarios.yaml").write_text(SCENARIOS, "utf-8")
