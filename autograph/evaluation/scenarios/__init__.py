"""How do programs do with the same users? Scenarios with a goal on the final state."""
