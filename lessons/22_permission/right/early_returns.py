import json

READS = {"get_dir_info", "get_file_content", "search_files"}  # what only looks is never asked about


def permitted(call, ask, always):
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    if name in READS or name in always:
        return ""
    if ask is None:
        return f"{name} is not allowed: nobody is there to permit it."
    typed = ask(f"May {name!r} run with {arguments!r}? [y/a/n] ")
    match typed.strip().lower():
        case "y" | "yes":
            return ""
        case "a" | "all":
            always.append(name)
            return ""
    return f"The person did not allow {name}; they typed {typed!r}."
