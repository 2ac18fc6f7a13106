"""Cut a template into a tree of nodes.

A node is ("text", text), ("value", path, filters), ("each", name, path, children) or ("if", path, children).
"""

import re

TOKEN = re.compile(r"(\{\{.*?\}\}|\{%.*?%\})", re.DOTALL)


class TemplateError(ValueError):
    pass


def parse(source):
    tokens = [token for token in TOKEN.split(source) if token]
    nodes, rest = parse_until(tokens, None)
    if rest:
        raise TemplateError("unexpected end tag")
    return nodes


def parse_until(tokens, end):
    nodes = []
    while tokens:
        token, *tokens = tokens
        if token.startswith("{{"):
            path, *filters = [part.strip() for part in token[2:-2].split("|")]
            nodes.append(("value", path, filters))
        elif token.startswith("{%"):
            words = token[2:-2].split()
            if words == [end]:
                return nodes, tokens
            if len(words) == 4 and words[0] == "each" and words[2] == "in":
                children, tokens = parse_until(tokens, "endeach")
                nodes.append(("each", words[1], words[3], children))
            elif len(words) == 2 and words[0] == "if":
                children, tokens = parse_until(tokens, "endif")
                nodes.append(("if", words[1], children))
            else:
                raise TemplateError(f"unknown tag: {' '.join(words)}")
        else:
            nodes.append(("text", token))
    if end is not None:
        raise TemplateError(f"missing {end}")
    return nodes, tokens
