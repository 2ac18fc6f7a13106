"""What a repository is in the middle of: a merge or a rebase that waits for a person, a git that was killed. What is
committed then would hold both sides of a conflict, and what is kept in such a file goes with `git merge --abort`."""

import os
import re
from pathlib import Path

from reach.git import Git
from sandbox.files.root import Refusal

BEGUN = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
}  # what lies in a store meanwhile (gitrepository-layout(5))
LOCKS = ("index.lock", "HEAD.lock")
_BOTH_SIDES = re.compile(r"^<{7} .*\n(?:.*\n)*?={7}\n(?:.*\n)*?>{7} ", re.MULTILINE)
_CODE = re.compile(r"^(`{3,}|~{3,}).*?(?:^\1|\Z)", re.DOTALL | re.MULTILINE)


def holds_both_sides(text: str) -> bool:
    """Whether a text has a conflict that nobody settled, as git marks it; one that is shown as code is none."""
    return "<<<<<<< " in text and bool(_BOTH_SIDES.search(_CODE.sub("", text)))


def begun(store: Path) -> str:
    """What git has begun there and a person must end, "" for nothing."""
    return next((name for file, name in BEGUN.items() if os.path.lexists(store / file)), "")


def refuse_unsettled(git: Git) -> None:
    """Raise Refusal, with the next step, where something is not settled; a merge whose files are all settled is to be
    committed."""
    for lock in LOCKS:
        if os.path.lexists(git.store / lock):
            raise Refusal(
                f"Another git is at work here, or one was killed and left .git/{lock}; try again, and if no git runs "
                "any more, the person deletes that file",
                "busy",
            )
    what = begun(git.store)
    how = f"`git {what} --abort` puts all back" if what else "`git checkout HEAD -- FILE` takes what was committed"
    if both := git.run("diff", "--name-only", "--diff-filter=U").split("\n")[:-1]:
        raise Refusal(
            f"Both sides of a conflict stand in {', '.join(both[:20])}, marked with <<<<<<< and >>>>>>>, so nothing was"
            f" done. The person leaves there what is to stay and says `git add FILE`; {how}",
            "busy",
        )
    if what and what != "merge":
        raise Refusal(
            f"A {what} is under way here, so nothing was done. The person ends it: `git {what} --continue`, or {how}",
            "busy",
        )


def refuse_both_sides(git: Git) -> None:
    """Raise Refusal where a file that is about to conclude a merge still has a conflict in it."""
    for name in git.run("diff", "--name-only", "-z", "HEAD").split("\0")[:-1]:
        try:
            text = (git.top / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if holds_both_sides(text):
            raise Refusal(
                f"Both sides of a conflict still stand in {name}, marked with <<<<<<< and >>>>>>>, so nothing was "
                "committed. Leave there what is to stay, then commit again",
                "busy",
            )
