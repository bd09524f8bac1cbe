"""How often does a program take its users as they mean it? Sayings put to its real questions."""
