"""The operator's mind."""

TOOLS = frozenset(("read_skill", "*__*"))
STRANGERS = True  # a person's own tools, or another client's
