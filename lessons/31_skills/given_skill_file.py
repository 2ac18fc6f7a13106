"""A SKILL.md in its parts. The real agent has a whole YAML parser here; this one knows what the lesson needs."""

LARGEST = 100_000  # characters; the rest of a file is not read


def read(path):
    """Return {"name": ..., "description": ..., "instructions": ...} of a file, "" for what it lacks. Raises OSError."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read(LARGEST)
    parts = {"name": "", "description": "", "instructions": ""}
    head, fence, body = text.partition("\n---\n")
    if not head.startswith("---\n") or not fence:
        return parts
    field = ""
    for line in head.split("\n")[1:]:
        if line[:1].isspace():  # it goes on, as after "description: |"
            value = f"{parts.get(field, '')}\n{line.strip()}"
        else:
            field, _, value = line.partition(":")
        if field in ("name", "description"):
            parts[field] = value.strip(" \n|>")
    return parts | {"instructions": body.strip()}
