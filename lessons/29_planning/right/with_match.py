MARKS = {"open": "[ ]", "doing": "[>]", "done": "[x]"}


def line(each):
    match each:
        case {"step": text, "state": state}:
            return f"{MARKS[state]} {' '.join(text.split())}"
        case {"step": text}:
            return f"[ ] {' '.join(text.split())}"


def plan(steps, before, results):
    try:
        lines = [line(each) for each in steps]
    except KeyError as error:
        return f"Error: there is no state {error}; take open, doing or done"
    was = {each["step"] for each in before if each.get("state") == "done"}
    claimed = [each["step"] for each in steps if each.get("state") == "done" and each["step"] not in was]
    marks = [each[:3] for each in lines]
    match len(lines), marks.count("[>]"), [each for each in results if not each.startswith("Error: ")]:
        case (0, _, _):
            return "Error: no steps"
        case (many, _, _) if many > 20:
            return f"Error: {many} steps are too many"
        case (_, doing, _) if doing > 1:
            return "Error: only one at a time"
        case (_, _, []) if claimed:
            return "Error: you have not shown " + " ".join(claimed)
    return "\n".join((*lines, f"{marks.count('[x]')} of {len(lines)} done"))


def recite(messages, shown):
    match shown:
        case "":
            return messages
    return [*messages, dict(role="user", content=shown)]
