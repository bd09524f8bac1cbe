"""How do others write dialogues? Their forms, to and from ours."""
