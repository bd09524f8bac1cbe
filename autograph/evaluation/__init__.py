"""How good is it? Measures, worlds, agents, and the accuracy of transitions."""
