"""Run the attacks and print what came of each, as JSON lines. A process of its own, so that it can be another user.

python -m escapes.harness DIRECTORY HIDDEN,WALLS [landlock_at_most]
"""

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from escapes.table import ATTACKS, Attack
from escapes.world import World, ignore_signals
from sandbox.files.root import Root
from sandbox.running import launcher, levels, pretending
from sandbox.running.process import Limits, run_python


@dataclass(frozen=True)
class Result:
    """said: what the script said. changed: what was seen to change outside."""

    name: str
    said: str
    changed: list[str]

    @property
    def escaped(self) -> bool:
        return self.said.startswith("escaped") or bool(self.changed)


def main(directory: str, hidden: str, landlock_at_most: str = "1000") -> None:
    ignore_signals()
    os.environ["GLASSBOX_SECRET"] = "a secret of the environment"
    leaked = os.open(__file__, os.O_RDONLY)
    os.set_inheritable(leaked, True)
    base = Path(directory)
    Root.quarantine = base.with_name(base.name + "-quarantine")  # of every Root here
    walls = [wall for wall in hidden.split(",") if wall]
    with pretending.hidden(*walls, landlock_at_most=int(landlock_at_most)):
        print(json.dumps(levels.level().line), flush=True)
        world = World(base, launcher.supervisor().process)
        try:
            for attack in ATTACKS:
                if attack.alone and not levels.level().confined:
                    continue
                print(json.dumps(asdict(_try(attack, world))), flush=True)
        finally:
            world.close()


def _try(attack: Attack, world: World) -> Result:
    before = world.state()
    (world.work / "attack.py").write_text(attack.script)
    with Root(world.work) as root:
        outcome = run_python(root, ["attack.py", world.as_json()], limits=Limits(seconds=10), readable=[world.readable])
        after = world.state()
        if attack.group == "supervisor":  # whoever runs next must not be taken in either
            (world.work / "next.py").write_text("import sys; sys.exit(3)")
            again = run_python(root, ["next.py"])
            after = world.state() | {"next run": again.exit_code if again.exit_code != 3 else None}
            before["next run"] = None
    changed = [name for name in after if after[name] != before[name]]
    if any("was killed" in note for note in outcome.notes):
        changed.append("the watcher was killed")
    if changed:
        world.build()
    else:
        world.clear_working_directory()
    said = outcome.stdout.strip() or f"ended: {outcome.exit_code} {outcome.signal} {outcome.stderr[-300:]}"
    return Result(attack.name, said.splitlines()[-1], changed)


if __name__ == "__main__":
    main(*sys.argv[1:])
