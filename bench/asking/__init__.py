"""How many questions about a project the librarian answers right, with the right source."""
