"""Nested dictionaries: look up, put in, lay one over another."""

MISSING = object()


def look_up(tree, parts):
    """The value at a place, or MISSING."""
    head, *rest = parts
    if not isinstance(tree, dict) or head not in tree:
        return MISSING
    if not rest:
        return tree[head]
    look_up(tree[head], rest)


def put(tree, parts, value):
    *heads, last = parts
    for head in heads:
        if not isinstance(tree.get(head), dict):
            tree[head] = {}
        tree = tree[head]
    tree[last] = value


def merged(below, above):
    """A new tree: above wins, and dictionaries are merged instead of replaced."""
    result = dict(below)
    for key, value in above.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = merged(result[key], value)
        else:
            result[key] = value
    return result


def leaves(tree, prefix=""):
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
