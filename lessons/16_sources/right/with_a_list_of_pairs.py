import re


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def sections(text):
    pairs, inside = [], False
    for line in text.split("\n"):
        inside ^= line.startswith("```")
        if not inside and (heading := re.match(r"(#{1,6})[ \t](.*)", line)):
            pairs.append([anchor(heading[2]), []])
        elif pairs:
            pairs[-1][1].append(line)
    found = {}
    for name, lines in pairs:
        count = 0
        while (name if not count else f"{name}-{count}") in found:
            count += 1
        found[f"{name}-{count}" if count else name] = "\n".join(lines)
    return found


def objection(answer, read):
    lines = [line.removeprefix("Source:") for line in answer.splitlines() if line.startswith("Source:")]
    places = [place.strip() for place in ",".join(lines).split(",") if place.strip()]
    for place in places:
        file, _, section = place.partition("#")
        if file not in read:
            return f"{file}: you have not read that"
        if section and section not in sections(read[file]):
            return f"{file} has no #{section}, but " + " and ".join(sections(read[file]))
    return "" if places else "Where does it stand? Write Source: and the file."
