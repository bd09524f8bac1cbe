"""Does a chatbot do what its author expects? Conversation tests, coverage, mutants."""
