"""How good is it? Figures, and what others measure dialogue systems by.

metrics  measures  metric            how near an answer is to the right one, and how figures add up
intervals  comparison                how sure a figure is, and a difference between two
understanding/                       how often a program takes its users as they mean it (``eval transitions``)
parlai/   agents                     messages, teachers, tasks, agents and worlds (``eval run`` and its kin)
pydialogue/   dialogues              policies and accuracy over time in pydialogue's world
scenarios/                           the same users for several programs (``eval scenarios``)
pipeline/                            programs as skills, and several as one agent (``eval agent``)
columns  fault  manifest  many  running  watched_bot  spelt_out    what these share
"""
