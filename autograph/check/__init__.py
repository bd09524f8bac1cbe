"""What is wrong or doubtful with a program before anybody talks to it? ``autograph check``.

walks, graph, modes    where can it go from each node?       facts, flow    which variables are set where?
subject                a program with both                   run            all checks, in order
reach loops functions questions groups interjections unset unread prompts prose expressions sheet    the checks
explain*               what each code means                  against        which conversations would not survive
"""

from autograph.check.run import CHECKS, Checked, check, check_program, check_rows

__all__ = ["CHECKS", "Checked", "check", "check_program", "check_rows"]
