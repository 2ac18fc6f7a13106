"""The trajectory as a word: w a write, p tests passed, f failed, b a push-back; and what it must look like."""

import re

WRITES = {"write_file", "edit_file"}


def passed(result):
    return result.startswith("All ")


def letter(step):
    if step["name"] in WRITES:
        return "" if step["result"].startswith("Error: ") else "w"
    if step["name"] == "run_tests":
        return "p" if passed(step["result"]) else "f"
    return "b" if step["name"] == "push_back" else ""


def may_finish(trajectory):
    word = "".join(map(letter, trajectory))
    fine = "w" not in word or word.count("b") >= 2 or re.search("p$", word.replace("b", "").rpartition("w")[2])
    return "" if fine else "Run the tests after your last edit, and see them pass."
