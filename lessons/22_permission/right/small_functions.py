import json
import string

READS = {"get_dir_info", "get_file_content", "search_files"}


def yes(said):
    return said in {"y", "yes"}


def for_good(said):
    return said in {"a", "all"}


def shown(function):
    return "".join(map(letter, json.dumps([function["name"], function["arguments"]]))) + " -- may it?"


def letter(each):
    return each if each in string.printable else f"<{ord(each)}>"


def permitted(call, ask, always):
    function = call["function"]
    if function["name"] in {*READS, *always}:
        return ""
    answer = ask(shown(function)) if ask else None
    if answer is None:
        return "Error: there is nobody who could be asked"
    said = answer.strip().lower()
    if for_good(said):
        always.append(function["name"])
    if yes(said) or for_good(said):
        return ""
    return "Error: the person refused it" + ("." if said in {"", "n", "no"} else f" and said: {answer.strip()}")
