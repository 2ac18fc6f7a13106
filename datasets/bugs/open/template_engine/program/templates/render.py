"""Fill a parsed template with values."""

from .filters import FILTERS, escape
from .parser import TemplateError, parse


class Template:
    def __init__(self, source, autoescape=True):
        self.nodes = parse(source)
        self.autoescape = autoescape

    def render(self, values):
        return "".join(self._pieces(self.nodes, values))

    def _pieces(self, nodes, values):
        for node in nodes:
            kind = node[0]
            if kind == "text":
                yield node[1]
            elif kind == "value":
                yield self._value(node[1], node[2], values)
            elif kind == "if":
                if lookup(node[1], values):
                    yield from self._pieces(node[2], values)
            else:
                _, name, path, children = node
                for item in lookup(path, values) or []:
                    yield from self._pieces(children, {**values, name: item})

    def _value(self, path, filters, values):
        value = lookup(path, values)
        for name in filters:
            if name == "raw":
                continue
            if name not in FILTERS:
                raise TemplateError(f"unknown filter: {name}")
            value = FILTERS[name](value)
        text = "" if value is None else str(value)
        if self.autoescape and "raw" not in filters and "escape" not in filters:
            text = escape(text)
        return text


def lookup(path, values):
    current = values
    for part in path.split("."):
        if isinstance(current, dict):
            current = current.get(part)
        else:
            current = getattr(current, part, None)
    return current


def render(source, **values):
    return Template(source).render(values)
