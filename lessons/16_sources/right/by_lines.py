import re


def sections(text):
    result = {}
    current = None
    in_code = False
    for line in text.splitlines():
        if line.strip().startswith("```"):
            in_code = not in_code
        level = len(line) - len(line.lstrip("#"))
        if not in_code and 1 <= level <= 6 and line[level : level + 1] and line[level] in " \t":
            base = "".join(c for c in line[level:].strip().lower() if c.isalnum() or c in " -_").replace(" ", "-")
            current, number = base, 0
            while current in result:
                number += 1
                current = f"{base}-{number}"
            result[current] = []
        elif current is not None:
            result[current].append(line)
    return {name: "\n".join(lines).strip() for name, lines in result.items()}


def objection(answer, read):
    problems = []
    sources = re.findall(r"^Source:\s*(.*)", answer, re.M)
    if not sources:
        problems.append("Add a line that begins with Source:")
    for source in ", ".join(sources).split(", ") if sources else []:
        file, _, section = source.partition("#")
        text = read.get(file)
        if text is None:
            problems.append(f"You have not read {source}.")
        elif section and section not in sections(text):
            problems.append(f"{source}: no such section. Try one of {list(sections(text))}")
    return " ".join(problems)
