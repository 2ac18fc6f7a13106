"""The commands of an installed package: glassbox, glassbox-lessons, glassbox-mcp. Each is a process of its own."""

from __future__ import annotations

import sys

from glassbox import ROOMS


def main() -> int:
    """What `python main.py` is in the clone."""
    prepared()
    import main

    return main.main()


def lessons() -> int:
    """What `python -m lessons` is in the clone."""
    prepared()
    from lessons.__main__ import main

    return main(sys.argv[1:])


def server() -> int:
    """What `python -m doors.mcp_server` is in the clone."""
    prepared()
    from doors.mcp_server import main

    return main(sys.argv[1:])


def prepared() -> None:
    """Put the rooms on the path, first: what lies where a person happens to be is not imported. Then put what is worked
    on into the person's own folder, once, and say so."""
    sys.path.insert(0, str(ROOMS))
    from config import PLACE, ConfigError
    from doors.place import prepare

    try:
        if prepare():
            print(f"Runs, settings (.env), the calculator and your lessons lie in {PLACE}.", file=sys.stderr)
    except ConfigError as error:
        sys.exit(f"Error: {error}")


if __name__ == "__main__":
    sys.exit(main())
