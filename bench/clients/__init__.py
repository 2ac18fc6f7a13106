"""Other people's clients, at the built-in model: who finishes a repair with it, and what the others are told."""
