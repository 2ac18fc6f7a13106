"""The docs: what they tell a reader to type works, what they link to is there, and the site is whole and stays at home."""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser
from repositories import git

from config import PROJECT
from jobs.job import DEFAULT, names

DOCS = PROJECT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *(PROJECT / "lessons").glob("*/README.md")])  # the lessons' are staged
TEXTS = [PROJECT / "README.md", *PAGES]
HANG = 300.0

# A command that no test can run says why, after "#"; those that the pages do not mark stand here.
REASONS = (
    "takes minutes",
    "needs a real model",
    "opens a browser",
    "runs until Ctrl-C",
    "needs what is yours",
    "needs npm",
)
EXEMPT = {
    r"python -m venv .venv": "makes the environment that this runs in",
    r"python -m pytest.*": "the suite itself",
    r"python main\.py": "waits for what a person types; tests/cli/test_chat.py does, in a pseudo-terminal",
    r"python -m lessons": "waits for what a learner types",
    r"python -m lessons --web( .*)?": "runs until Ctrl-C",
    r"python -m lessons agent .*": "needs the agent that a learner wrote in fourteen lessons",
    r"python -m lessons ask .*": "needs the librarian that a learner wrote in twenty",
    r"python -m offline --port \d+": "runs until Ctrl-C",
}
YOURS = "path/to/your/project"


def name_of(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def commands(path: Path) -> list[str]:
    """Every line of a page that a reader is meant to type and that begins with `python`."""
    return re.findall(r"^(?: {4})?(python .+?)\s*$", path.read_text(encoding="utf-8"), re.MULTILINE)


def to_test(path: Path) -> list[str]:
    kept = [line for line in commands(path) if not any(re.fullmatch(pattern, line) for pattern in EXEMPT)]
    return [line for line in kept if not line.partition("  # ")[2].startswith(REASONS)]


WITH_COMMANDS = [path for path in TEXTS if to_test(path)]


def test_there_are_commands_to_test():
    assert sum(len(to_test(path)) for path in TEXTS) > 15


@pytest.mark.parametrize("path", [path for path in TEXTS if commands(path)], ids=name_of)
def test_every_option_of_every_command_exists(path: Path):
    for line in commands(path):
        words = shlex.split(line.partition("  # ")[0])
        if words[1] == "main.py":
            known = help_of("main.py", *(words[words.index("--job") :][:2] if "--job" in words else ()))
        elif words[1:3] == ["-m", "bench"]:
            known = help_of("-m", "bench", words[3])
        else:
            continue
        for option in (word for word in words if word.startswith("--")):
            assert re.search(rf"{re.escape(option)}\b", known), f"{line}: there is no {option}"


@functools.cache
def help_of(*program: str) -> str:
    ran = subprocess.run([sys.executable, *program, "--help"], cwd=PROJECT, capture_output=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.mark.long
@pytest.mark.parametrize("path", WITH_COMMANDS, ids=name_of)
def test_the_commands_of_a_page_work_in_their_order_on_a_fresh_copy(path: Path, tmp_path: Path, closed_port: int):
    listed = subprocess.run(["git", "ls-files"], cwd=PROJECT, capture_output=True, encoding="utf-8", check=True)
    copy = tmp_path / "copy"
    for file in filter(None, listed.stdout.split("\n")):
        if not file.startswith("datasets/bugs/") or "/paint_estimator/" in file:
            # What was compiled of it holds for the copy too, whose time is the same.
            for each in filter(Path.exists, (PROJECT / file, Path(cache_from_source(str(PROJECT / file))))):
                beside = copy / each.relative_to(PROJECT)
                beside.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(each, beside)
    shutil.copytree(copy / "calculator", tmp_path / "yours")
    environment = {
        **os.environ,
        "LMSTUDIO_BASE_URL": f"http://127.0.0.1:{closed_port}/v1",
        **dict.fromkeys(("LLM_PROVIDER", "GEMINI_API_KEY", "RUNS_DIRECTORY", "WORKING_DIRECTORY"), ""),
    }
    for line in to_test(path):
        words = shlex.split(line.partition("  # ")[0].replace(YOURS, str(tmp_path / "yours")))
        ran = subprocess.run(
            [sys.executable, *words[1:]],
            cwd=copy,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=HANG,
        )
        assert ran.returncode == 0, f"{line}\n{ran.stdout[-2000:]}\n{ran.stderr[-2000:]}"


@pytest.mark.parametrize("path", TEXTS, ids=name_of)
def test_every_link_to_a_file_or_a_heading_leads_somewhere(path: Path):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(path)):
        if "://" in target or target.startswith("mailto:"):
            continue
        file, _, anchor = target.partition("#")
        linked = (path.parent / file).resolve() if file else path
        assert linked.exists(), f"{name_of(path)} links to {target}"
        if anchor:
            assert anchor in anchors(linked), f"{name_of(path)} links to {target}"


NAMED_TEST = re.compile(r"(?:(tests/[\w/]+\.py)::)?\b(test_\w+)\b(?!\.py)")


def test_every_test_that_a_page_names_exists():
    """A promise whose test is gone or has another name is one that nobody holds."""
    files = {name_of(path): path.read_text(encoding="utf-8") for path in (PROJECT / "tests").rglob("*.py")}
    functions = {
        name: set(re.findall(r"^(?:async )?def (test_\w+)\(", text, re.MULTILINE)) for name, text in files.items()
    }
    everywhere = set().union(*functions.values())
    named = [(path, *found) for path in TEXTS for found in NAMED_TEST.findall(spelt(path)) if path.parent == DOCS]
    assert len(named) > 50
    for path, file, name in named:
        assert name in (functions.get(file, ()) if file else everywhere), f"{name_of(path)} names {file} {name}"


def spelt(path: Path) -> str:
    """What a page puts between backticks in its text."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return "\n".join(re.findall(r"`[^`\n]+`", text))


def without_code(path: Path) -> str:
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]+`", "", text)


def anchors(path: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def test_every_page_stands_in_the_navigation_and_every_entry_is_a_page(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    import build

    navigation = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r"(\S+\.md)\s*$", navigation, re.MULTILINE)
    assert sorted(listed) == sorted(build.page_of(path).as_posix() for path in PAGES)


def test_every_other_job_has_a_row_in_the_readme_with_its_page_and_an_example():
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\w+)\]\(docs/(\w+)\.md\) \| .+ \| `python main\.py --job (\w+)", text, re.MULTILINE)
    assert sorted(rows) == [(name,) * 3 for name in names() if name != DEFAULT]


def test_a_link_out_of_the_docs_leads_to_a_page_that_shows_the_file(tmp_path: Path, monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    import build

    shown: set[Path] = set()
    lesson, page = PROJECT / "lessons" / "01_messages" / "README.md", DOCS / "lessons" / "README.md"
    link = build.LINK.search("see [it](../../main.py#L3), or [this](https://example.org)")
    assert build.linked(link, lesson, shown) == "](../source/main.py.md)"
    assert shown == {PROJECT / "main.py"}
    assert "def run_agent" in build.file_page(PROJECT / "main.py")
    inside = build.LINK.search("[pages](../../docs/start.md)")
    assert build.linked(inside, lesson, shown) == "](../start.md)"
    first = build.LINK.search("[first](../../lessons/01_messages/README.md#your-task)")
    assert build.linked(first, page, shown) == "](01_messages.md#your-task)"
    nowhere = build.LINK.search("[gone](../gone.md)")
    assert build.linked(nowhere, lesson, shown) == nowhere[0]


def test_the_pages_show_only_code_that_is_there():
    ran = subprocess.run([sys.executable, "docs/build.py", "--stage"], cwd=PROJECT, capture_output=True)
    assert ran.returncode == 0, ran.stderr.decode()
    shown = (PROJECT / ".runs/docs/excerpts/main.py/run_agent.py").read_text(encoding="utf-8")
    assert shown.strip() in (PROJECT / "main.py").read_text(encoding="utf-8")


def test_an_excerpt_of_decorated_code_begins_with_its_decorators(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    import build

    source = "import functools\n\n\n@functools.cache\n@staticmethod\ndef answer():\n    return 42\n\n\nafter = 1\n"
    assert build.excerpt(source, "answer") == "@functools.cache\n@staticmethod\ndef answer():\n    return 42"
    assert build.excerpt(source, "after") == "after = 1"
    assert build.excerpt(source, "missing") is None


def test_python_code_that_a_page_spells_out_compiles():
    for path in TEXTS:
        for code in re.findall(
            r"^```python[^\n]*\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        ):
            if "--8<--" not in code:
                compile(code, name_of(path), "exec")


needs_zensical = pytest.mark.skipif(not shutil.which("zensical"), reason="uv run --group docs installs Zensical")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The site, built strictly from a copy of what it is made of."""
    copy = tmp_path_factory.mktemp("site")
    build_in(copy)
    return copy / ".runs" / "site"


def build_in(copy: Path, *, expected: int = 0) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "bugs")
    for name in (
        "agent",
        "bench",
        "cli",
        "docs",
        "functions",
        "jobs",
        "offline",
        "doors",
        "index",
        "reach",
        "providers",
        "records",
        "sandbox",
        "lessons",
        "tests",
        "samples",
    ):
        shutil.copytree(PROJECT / name, copy / name, dirs_exist_ok=True, ignore=ignored)
    for file in (*PROJECT.glob("*.py"), PROJECT / "mkdocs.yml", PROJECT / ".env.example"):
        if not (copy / file.name).exists():
            shutil.copyfile(file, copy / file.name)
    ran = subprocess.run([sys.executable, "docs/build.py"], cwd=copy, capture_output=True, encoding="utf-8")
    assert ran.returncode == expected, ran.stdout + ran.stderr


@pytest.mark.long
@needs_zensical
def test_the_strict_build_stops_at_a_link_that_leads_nowhere(tmp_path: Path):
    broken = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(broken + "  - Broken: broken.md\n", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "broken.md").write_text("# Broken\n\n[nowhere](nowhere.md)\n", encoding="utf-8")
    build_in(tmp_path, expected=1)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


LOOK = (Path(__file__).with_name("look.js")).read_text(encoding="utf-8")


@pytest.mark.long
@needs_zensical
@pytest.mark.skipif(not CHROMIUM, reason="needs Chromium")
def test_every_page_is_readable_and_asks_nobody_else_for_anything(site: Path, address: str, chromium: Browser):
    """Each is looked at narrow and wide, one of them light and one dark, in turns: all have the same style, and each look
    costs."""
    titles = set()
    pages = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    assert len(pages) > len(PAGES)
    index = site / "search.json"
    for number, page in enumerate(pages):
        chromium.open(f"{address}/{page}", width=360)
        if page == pages[0]:  # each would read that of the whole site anew, which was half of all the work
            index.write_text(
                json.dumps({**json.loads(index.read_text(encoding="utf-8")), "items": []}), encoding="utf-8"
            )
        for width, scheme in ((360, ("light", "dark")[number % 2]), (1440, ("dark", "light")[number % 2])):
            chromium.size(width, 900)
            chromium.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            chromium.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            seen = chromium.run(LOOK)
            assert seen["faults"] == [], f"{page}, {width} px, {scheme}"
            assert seen["dark"] == (scheme == "dark"), page
            if folder := os.environ.get("PICTURES"):  # for looking at them oneself
                chromium.picture(Path(folder, f"{Path(page).stem}-{width}-{scheme}.png"))
        titles.add(seen["title"])
        elsewhere = [url for url in chromium.requests() if not url.startswith((f"{address}/", "data:", "blob:"))]
        assert elsewhere == [], page
        assert chromium.complaints() == [], page
    assert len(titles) == len(pages), "every page has a title of its own"


def first_sitting() -> tuple[str, set[str]]:
    """Its text, and the files that it names."""
    page = (PROJECT / "docs" / "read-the-source.md").read_text(encoding="utf-8")
    first = page.partition("## The first sitting")[2].partition("\n## ")[0]
    return first, files_in(first)


def files_in(text: str) -> set[str]:
    return set(re.findall(r"\]\(\.\./([\w/.]+\.py)\)", text))


def doors() -> tuple[str, ...]:
    return tuple(re.findall(r"`([\w/.]+)`", first_sitting()[0].partition("### 1.")[0]))


@pytest.mark.long
def test_every_function_of_a_plain_run_stands_in_a_file_of_the_first_sitting_or_behind_a_named_door():
    from bench.path import walked

    assert len(doors()) <= 9
    walked_through = set(walked().files())
    assert {"main.py", "agent/run.py", "functions/edit_file.py"} <= walked_through
    missing = {file for file in walked_through - first_sitting()[1] if not file.startswith(doors())}
    assert not missing


@pytest.mark.long
def test_what_a_small_models_run_comes_through_beside_the_first_sitting_is_named_as_such(
    monkeypatch: pytest.MonkeyPatch,
):
    """One that breaks the program, takes that back and then makes the repair, at a server that is busy at first."""
    from bench.path import walked
    from offline.script import Call, call, fail, say
    from offline.scripted import serving

    broken = {"file_path": "pkg/calculator.py", "old_text": "def evaluate", "new_text": "def evaluated"}
    calls = [Call("edit_file", broken), Call("take_back", {}), Call("apply_repair", {"number": 1})]
    with serving(fail(503, "busy", retry_after="0"), *map(call, calls), say("It adds last now.")) as server:
        monkeypatch.setenv("LMSTUDIO_BASE_URL", f"{server.address}/v1")
        monkeypatch.setenv("GLASSBOX_MODEL_SIZE", "small")
        walked_through = set(walked("lmstudio").files())
    page = (PROJECT / "docs" / "read-the-source.md").read_text(encoding="utf-8")
    named = files_in(page.partition("## Beside it")[2].partition("\n## ")[0])
    beyond = walked_through - first_sitting()[1]
    assert named == {file for file in beyond if not file.startswith(doors())}


@pytest.mark.long
def test_what_a_run_comes_through_in_a_repository_and_with_no_provider_named_is_named_as_such(
    monkeypatch: pytest.MonkeyPatch, closed_port: int
):
    from bench.path import walked

    def with_one_commit(copy: Path) -> None:
        for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
            git(copy, *words)

    monkeypatch.setenv("LMSTUDIO_BASE_URL", f"http://127.0.0.1:{closed_port}/v1")
    monkeypatch.setenv("LLM_PROVIDER", "")
    plain = walked().files().keys()
    page = (PROJECT / "docs" / "read-the-source.md").read_text(encoding="utf-8")
    named = files_in(page.partition("## Beside it: in a repository")[2].partition("\n## ")[0])
    assert named == walked("", with_one_commit).files().keys() - plain


def test_the_first_sitting_is_two_and_a_half_hours_of_reading():
    """Of the files that it names; at 24 lines a minute, a third of them blank, docstring or import."""
    first, files = first_sitting()
    lines = sum(len((PROJECT / name).read_text(encoding="utf-8").splitlines()) for name in files)
    minutes = sum(map(int, re.findall(r"\((\d+) minutes\)", first)))
    assert 15 <= len(files) <= 30
    assert minutes == 145
    assert lines <= 24 * minutes, f"{len(files)} files, {lines} lines"
