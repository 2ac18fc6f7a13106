"""The notekeeper's tools, one a file, and what they share: notes.py (a note as text), knowledge_base.py, memory.py."""
