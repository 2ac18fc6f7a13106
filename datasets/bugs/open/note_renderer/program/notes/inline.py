"""Marks inside a line: *strong*, _soft_, `code`, [text](address) and backslash escapes."""

PAIRS = {"*": "strong", "_": "em"}


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def render_inline(text):
    output = []
    index = 0
    while index < len(text):
        char = text[index]
        if char == "\\" and index + 1 < len(text):
            output.append(escape(text[index + 1]))
            index += 2
            continue
        piece, used = special(text, index)
        if used:
            output.append(piece)
            index += used
        else:
            output.append(escape(char))
            index += 1
    return "".join(output)


def special(text, start):
    """(markup, characters used) for a mark that begins at start, or ("", 0)."""
    char = text[start]
    if char == "`":
        end = text.find("`", start + 1)
        if end > start + 1:
            return f"<code>{escape(text[start + 1 : end])}</code>", end + 1 - start
    if char in PAIRS:
        end = text.find(char, start + 1)
        if end > start + 1 and not text[start + 1].isspace():
            inside = render_inline(text[start + 1 : end])
            return f"<{PAIRS[char]}>{inside}</{PAIRS[char]}>", end + 1 - start
    if char == "[":
        return link(text, start)
    return "", 0


def link(text, start):
    middle = text.find("](", start)
    if middle < 0:
        return "", 0
    end = text.find(")", middle)
    if end < 0:
        return "", 0
    label = render_inline(text[start + 1 : middle])
    address = escape(text[middle + 2 : end]).replace('"', "&quot;")
    return f'<a href="{address}">{label}</a>', end + 1 - start
