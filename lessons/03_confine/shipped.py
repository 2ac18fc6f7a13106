"""The real agent in place of the learner's inside(): does the working directory refuse the path?"""

from sandbox.files.root import Refusal, Root

LEADS_OUT = {"outside", "symlink", "name"}


def inside(root: str, path: str) -> bool:
    with Root(root) as held:
        try:
            held.exists(path)
        except Refusal as refusal:
            return refusal.reason not in LEADS_OUT
        return True
