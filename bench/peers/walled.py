"""A shell command of a model, held in by what Linux has: it reads the system, writes one folder, and has no network."""

import subprocess
import tempfile
from pathlib import Path

# Every mount but the folder's own is made read-only, and devices are out of reach; where that fails nothing of the
# command runs. The second user namespace cannot take any of it back.
WALL = """
points=$(cut -d " " -f 5 /proc/self/mountinfo)
mount --make-rprivate / && mount --bind "$1" "$1" && mount -t tmpfs none /mnt && touch /mnt/null &&
mount --bind /dev/null /mnt/null && mount --move /mnt /dev || exit 126
for point in $points; do
  case "$point" in
    /dev*|/proc/*|/sys/*) ;;
    /proc|/sys) mount -t tmpfs -o ro none "$point" || exit 126 ;;
    *) mount -o remount,bind,ro "$point" 2>/dev/null || mount -t tmpfs -o ro none "$point" || exit 126 ;;
  esac
done
cd "$1" && exec unshare --user bash -c "$2"
"""
SPACES = ("--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc", "--fork", "--kill-child")


def walled(folder: Path, command: str) -> list[str]:
    """The command line that runs a shell command in a folder and nowhere else."""
    return ["unshare", *SPACES, "sh", "-c", WALL, "sh", str(folder.resolve()), command]


def holds() -> bool:
    """Whether this system has such a wall, by trying it."""
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        inside, outside = Path(place, "inside"), Path(place, "outside")
        inside.mkdir()
        try:
            subprocess.run(walled(inside, f"echo 1 > here; echo 1 > {outside}"), capture_output=True, timeout=30)
        except (OSError, subprocess.TimeoutExpired):
            return False
        return (inside / "here").is_file() and not outside.exists()
