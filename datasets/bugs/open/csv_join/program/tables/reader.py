"""Comma-separated text to lists of dictionaries and back."""


def split_line(line):
    fields = []
    field = ""
    quoted = False
    index = 0
    while index < len(line):
        char = line[index]
        if quoted:
            if char == '"' and line[index + 1 : index + 2] == '"':
                field += '"'
                index += 1
            elif char == '"':
                quoted = False
            else:
                field += char
        elif char == '"':
            quoted = True
        elif char == ",":
            fields.append(field)
            field = ""
        else:
            field += char
        index += 1
    fields.append(field)
    return fields


def read_table(text):
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return []
    header = split_line(lines[0])
    return [dict(zip(header, split_line(line))) for line in lines[1:]]


def quote(value):
    if any(c in value for c in ',"\n'):
        return '"' + value.replace('"', '""') + '"'
    return value


def write_table(rows):
    if not rows:
        return ""
    header = list(rows[0])
    lines = [",".join(quote(name) for name in header)]
    for row in rows:
        lines.append(",".join(quote(row.get(name, "")) for name in header))
    return "\n".join(lines) + "\n"
