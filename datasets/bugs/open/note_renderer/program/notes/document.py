"""A whole note as markup, with an optional table of contents."""

from .blocks import split_blocks
from .inline import escape, render_inline


def anchor(title, used):
    """A name for a heading, made different when it was used before."""
    base = "-".join("".join(c if c.isalnum() else " " for c in title.lower()).split()) or "section"
    name = base
    number = 1
    while name in used:
        number += 1
        name = f"{name}-{number}"
    used.add(name)
    return name


def items(tag, lines):
    rows = "".join(f"<li>{render_inline(line)}</li>" for line in lines)
    return f"<{tag}>{rows}</{tag}>"


def render_block(block, used, contents):
    if block.kind == "heading":
        title = " ".join(block.lines)
        name = anchor(title, used)
        contents.append((block.level, title, name))
        return f'<h{block.level} id="{name}">{render_inline(title)}</h{block.level}>'
    if block.kind == "bullets":
        return items("ul", block.lines)
    if block.kind == "numbers":
        return items("ol", block.lines)
    if block.kind == "code":
        code = "\n".join(block.lines)
        return f"<pre>{escape(code)}</pre>"
    text = render_inline(" ".join(block.lines))
    if block.kind == "quote":
        return f"<blockquote>{text}</blockquote>"
    return f"<p>{text}</p>"


def table_of_contents(contents):
    if not contents:
        return ""
    top = min(level for level, _, _ in contents)
    rows = []
    for level, title, name in contents:
        indent = "  " * (level - top)
        rows.append(f'{indent}<a href="#{name}">{render_inline(title)}</a>')
    return "\n".join(rows)


def render(text, with_contents=False):
    used = set()
    contents = []
    body = [render_block(block, used, contents) for block in split_blocks(text)]
    if with_contents and contents:
        body.insert(0, f"<nav>\n{table_of_contents(contents)}\n</nav>")
    return "\n".join(body)
