READS = frozenset({"get_dir_info", "get_file_content", "search_files"})


def permitted(call, ask, always):
    match call["function"]["name"], ask:
        case name, _ if name in READS | set(always):
            return ""
        case _, None:
            return "No one is here who could allow that."
        case name, _:
            said = ask("Run " + ascii(name) + " " + ascii(call["function"]["arguments"]) + " [y/n/a] ")
    match said.strip().lower():
        case "y" | "yes":
            return ""
        case "a" | "all":
            always.extend([name])
            return ""
        case "" | "n" | "no":
            return "The person says no to that call."
    return "The person says instead: " + said.strip()
