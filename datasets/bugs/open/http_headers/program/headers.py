"""Read the head of a web request or response and look things up regardless of case."""


class Headers:
    def __init__(self):
        self._items = []

    def add(self, name, value):
        self._items.append((name, value.strip()))

    def get_all(self, name):
        return [value for key, value in self._items if key.lower() == name.lower()]

    def get(self, name, default=None):
        values = self.get_all(name)
        return values[0] if values else default

    def names(self):
        seen = {}
        for key, _ in self._items:
            seen.setdefault(key.lower(), key)
        return list(seen.values())

    def __contains__(self, name):
        return self.get(name) is not None


def parse_headers(text):
    """Header lines; a line that begins with a space continues the one before."""
    headers = Headers()
    name, value = None, ""
    for line in text.splitlines():
        if not line:
            break
        if line[0] in " \t" and name is not None:
            value += " " + line.strip()
            continue
        if name is not None:
            headers.add(name, value)
        name, colon, value = line.rpartition(":")
        if not colon:
            raise ValueError(f"not a header: {line}")
    if name is not None:
        headers.add(name, value)
    return headers


def parse_parameters(value):
    """'text/html; charset="utf-8"; q=0.5' -> ('text/html', {'charset': 'utf-8', 'q': '0.5'})"""
    first, *rest = value.split(";")
    parameters = {}
    for part in rest:
        name, _, content = part.partition("=")
        parameters[name.strip().lower()] = content.strip().strip('"')
    return first.strip(), parameters


def accepted(headers):
    """Media types that the client takes, the best first."""
    choices = []
    for value in headers.get_all("Accept"):
        for part in value.split(","):
            media, parameters = parse_parameters(part)
            choices.append((float(parameters.get("q", 1)), media))
    choices.sort(key=lambda choice: -choice[0])
    return [media for quality, media in choices if quality > 0]
