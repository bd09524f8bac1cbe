"""How does a program do in pydialogue's world? Policies, accuracy over time, results under its names."""
