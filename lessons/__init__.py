"""The lessons: build this agent yourself, in fourteen steps. Start with `python -m lessons`."""
