"""Lay out a list of words in columns, down then across, as `ls` does."""

import sys


def column_count(longest, width, gap=2):
    return max(1, (width + gap) // (longest + gap))


def arrange(items, columns):
    """Rows of at most `columns` items; the order runs down each column."""
    if not items:
        return []
    height = -(-len(items) // columns)
    return [items[row::height] for row in range(height)]


def widths_of(rows):
    count = max((len(row) for row in rows), default=0)
    return [max(len(row[i]) for row in rows if i < len(row)) for i in range(count)]


def render(items, width=60, gap=2):
    if not items:
        return ""
    longest = max(len(item) for item in items)
    rows = arrange(items, column_count(longest, width, gap))
    widths = widths_of(rows)
    lines = []
    for row in rows:
        cells = [cell.ljust(widths[i]) for i, cell in enumerate(row)]
        lines.append((" " * gap).join(cells).rstrip())
    return "\n".join(lines)


def shorten(item, limit):
    """Cut a long item in the middle: 'abcdefgh' to 5 is 'ab~gh'."""
    if len(item) <= limit:
        return item
    head = (limit - 1) // 2
    tail = limit - head
    return item[:head] + "~" + item[len(item) - tail :]


if __name__ == "__main__":
    print(render([shorten(line.strip(), 20) for line in sys.stdin]))
