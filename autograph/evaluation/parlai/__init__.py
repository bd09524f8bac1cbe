"""How does a program do on the ground of ParlAI? Messages, teachers, tasks, agents and worlds under its names."""
