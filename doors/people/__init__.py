"""Agents for many people: `Notekeepers` in notekeepers.py makes them, `Notekeeper` in notekeeper.py is one."""
