"""What is wrong or doubtful with a program before anybody talks to it? ``autograph check``.

    graph      where can it go from each node?          facts, flow    which variables are set where?
    subject    a program with both                      run            all checks, in order
    reach loops functions questions groups interjections variables prose expressions sheet    the checks
    registry explain_*    what each code means          against        which stored conversations would not survive
"""

from autograph.check.run import CHECKS, Checked, check, check_program, check_rows

__all__ = ["CHECKS", "Checked", "check", "check_program", "check_rows"]
