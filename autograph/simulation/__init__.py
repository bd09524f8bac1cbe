"""How does a program fare with many users? Simulated conversations and their report."""
