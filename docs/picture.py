"""Draw the pictures in the README and the docs from a real run of the main job: python docs/picture.py

Runs the built-in model on a copy of the calculator. Writes docs/run.svg, what a person sees in a terminal, and, where
there is a Chromium, docs/player.png, the run as a page. docs/story.svg is drawn from two runs of a small model that
were kept (datasets/story.json). None asks anybody for anything: an SVG fetches no font.
"""

from __future__ import annotations

import io
import json
import re
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PROJECT = DOCS.parent
sys.path[:0] = [str(PROJECT), str(PROJECT / "tests")]

from cli import start  # noqa: E402
from cli.desk import desk_for  # noqa: E402 - the project is no package that could be installed
from cli.reset import put_calculator  # noqa: E402
from cli.screen.rich import RichScreen  # noqa: E402
from config import load_settings  # noqa: E402
from records.folders import folders  # noqa: E402
from records.page import write_page  # noqa: E402
from records.picture import picture_of  # noqa: E402

COLUMNS = 96
PROMPT = "fix the bug"


class Still(RichScreen):
    """The screen without its foot: what stands there when the run is over."""

    def status(self, status: object) -> None:
        pass


def main() -> int:
    (DOCS / "story.svg").write_text(story(), encoding="utf-8")
    print("docs/story.svg")
    with tempfile.TemporaryDirectory() as scratch:
        calculator = put_calculator(Path(scratch) / "calculator")
        runs = Path(scratch) / "runs"
        code = picture_of_a_run(calculator, runs)
        if code == 0:
            picture_of_the_player(folders(runs)[0])
    return code


def story() -> str:
    """A run of Qwen2.5-Coder 1.5B, and the fork of it in which one result was changed."""
    return picture_of(json.loads((PROJECT / "datasets" / "story.json").read_text(encoding="utf-8")))


def picture_of_a_run(calculator: Path, runs: Path) -> int:
    from rich.console import Console
    from rich.text import Text

    console = Console(
        record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, highlight=False, markup=False, emoji=False
    )
    settings = load_settings(
        {"llm_provider": "offline", "working_directory": calculator, "runs_directory": runs}, env_file=Path("none")
    )
    options = start.parsed([PROMPT])
    console.print(Text.assemble(("$ ", "green"), (f'python main.py "{PROMPT}"', "bold")))
    with desk_for(settings, options) as desk:
        desk.terminal.use(Still(sys.stderr, console))
        result = desk.run(PROMPT)
    if result.stop_reason != "answered":
        print(f"The run ended with {result.stop_reason}: {result.errors}", file=sys.stderr)
        return 1
    (DOCS / "run.svg").write_text(as_svg(console), encoding="utf-8")
    print("docs/run.svg")
    return 0


def as_svg(console: object) -> str:
    """rich's picture of a console, without the fonts that it would have a reader's browser fetch."""
    from rich._export_format import CONSOLE_SVG_FORMAT

    local = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    local = local.replace("Fira Code", "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas")
    svg = console.export_svg(title="glassbox", code_format=local, unique_id="glassbox")  # type: ignore[attr-defined]
    svg = "\n".join(line.rstrip() for line in svg.splitlines() if line.strip()) + "\n"
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "").replace("https://www.textualize.io", "")
    return svg


def picture_of_the_player(folder: Path) -> None:
    from browser import CHROMIUM, browser

    if CHROMIUM is None:
        print("docs/player.png: not drawn, there is no Chromium")
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, browser(Path(profile)) as page:
        page.open(write_page([folder]), 1280, 800)
        page.press(*"nnnnj")
        page.picture(DOCS / "player.png")
    print("docs/player.png")


if __name__ == "__main__":
    sys.exit(main())
