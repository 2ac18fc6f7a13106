"""Pick values out of nested lists and dictionaries: "orders[0].lines[*].price"."""


class PathError(ValueError):
    pass


def tokenize(path):
    """'a.b[0][*]' -> ['a', 'b', 0, '*']"""
    tokens = []
    index = 0
    while index < len(path):
        char = path[index]
        if char == ".":
            index += 1
        elif char == "[":
            end = path.find("]", index)
            if end < 0:
                raise PathError("missing ]")
            inside = path[index + 1 : end]
            tokens.append("*" if inside == "*" else to_index(inside))
            index = end + 1
        else:
            end = index
            while end < len(path) and path[end] not in ".[":
                end += 1
            tokens.append(path[index:end])
            index = end
    return tokens


def to_index(text):
    try:
        return int(text)
    except ValueError:
        raise PathError(f"not an index: {text}") from None


def children(value):
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list):
        return list(value)
    return []


def step(value, token):
    """All values that one token reaches from a value."""
    if token == "*":
        return children(value)
    if isinstance(token, int):
        if isinstance(value, list) and -len(value) <= token < len(value):
            return [value[token]]
        return []
    if isinstance(value, dict) and token in value:
        return [value[token]]


def find_all(data, path):
    found = [data]
    for token in tokenize(path):
        found = [result for value in found for result in step(value, token)]
    return found


def find_one(data, path, default=None):
    found = find_all(data, path)
    if not found:
        return default
    return found[0]


def exists(data, path):
    return bool(find_all(data, path))
