"""The house rules: who may import whom, how large things may grow, what never enters the repository."""

from __future__ import annotations

import ast
import functools
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest
from catalogue import CATALOGUE

from cli.reset import SHIPPED, packed, shipped
from config import PROJECT, checks_of
from functions.tool import Catalogue, Resources
from jobs import coder
from jobs.job import own_settings
from list_functions import gemini_tools, openai_tools
from prompts import system_prompt

FLOORS = {
    "config": 0,
    "sandbox": 1,
    "reach": 1.25,
    "index": 1.5,
    "functions": 2,
    "offline": 2,
    "agent": 3,
    "call_functions": 3,
    "list_functions": 3,
    "prompts": 3,
    "jobs": 4,
    "records": 4,
    "providers": 5,
    "live": 5,
    "main": 6,
    "librarian": 6,
    "cli": 6,
    "session": 5.5,
    "tries": 5.25,
    "doors": 6,
    "glassbox": 7,
    "lessons": 6,
    "bench": 6,
}
SDKS = {"openai", "google"}
HEAVY = SDKS | {"mcp", "mcp_types"}


def source_files() -> Iterator[Path]:
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=PROJECT, capture_output=True, encoding="utf-8")
    names = listed.stdout.split("\n") if listed.returncode == 0 else [str(p) for p in PROJECT.rglob("*.py")]
    for name in filter(None, names):
        path = PROJECT / name
        if path.relative_to(PROJECT).parts[0] in {*FLOORS, *(f"{floor}.py" for floor in FLOORS)} and path.is_file():
            yield path


@functools.cache  # several rules read every file
def imported(path: Path, *, at_the_top: bool = False) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = tree.body if at_the_top else ast.walk(tree)
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return frozenset(found)


def room_of(path: Path) -> str:
    return path.relative_to(PROJECT).parts[0].removesuffix(".py")


def of_the_program(path: Path) -> bool:
    """Whether a file is this program's: not one of the programs with bugs that it is tried on."""
    named = path.as_posix()
    return not any(part in named for part in ("datasets/bugs/", "datasets/homework/"))


def rooms_imported(path: Path) -> set[str]:
    return {module.split(".")[0] for module in imported(path)} & FLOORS.keys() - {room_of(path)}


def test_no_module_imports_from_a_floor_above_its_own():
    for path in filter(of_the_program, source_files()):
        for room in rooms_imported(path):
            assert FLOORS[room] <= FLOORS[room_of(path)], f"{path} imports {room}"


def test_no_two_rooms_import_each_other():
    arrows = {(room_of(path), room) for path in filter(of_the_program, source_files()) for room in rooms_imported(path)}
    assert not {(one, other) for one, other in arrows if (other, one) in arrows}


def arrows_within(room: str) -> dict[str, set[str]]:
    """Which module of a room imports which, wherever in its file; what is there for the type checker alone is not."""
    paths = {".".join(path.relative_to(PROJECT).with_suffix("").parts): path for path in (PROJECT / room).rglob("*.py")}
    modules = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    arrows: dict[str, set[str]] = {}
    for name, path in modules.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in [node for node in ast.walk(tree) if isinstance(node, ast.If)]:
            if ast.unparse(node.test) == "TYPE_CHECKING":
                node.body = [ast.Pass()]
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
        named = {(f"{node.module}.{alias.name}", str(node.module)) for node in nodes for alias in node.names}
        arrows[name] = {one if one in modules else other for one, other in named} & modules.keys() - {name}
    return arrows


@pytest.mark.parametrize(
    "room", ["agent", "cli", "functions", "jobs", "records", "providers", "index", "sandbox", "reach"]
)
def test_no_files_of_a_room_import_each_other_in_a_circle(room: str):
    arrows = arrows_within(room)
    for start in arrows:
        seen: set[str] = set()
        waiting = list(arrows[start])
        while waiting:
            name = waiting.pop()
            assert name != start, f"{start} imports itself by way of others"
            if name not in seen:
                seen.add(name)
                waiting += arrows[name]


def test_the_coders_tools_are_few_lines():
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in (PROJECT / "functions").glob("*.py"))
    assert lines < 1500


def test_no_jobs_code_stands_outside_its_folder_and_its_mind():
    """Who else needs a job asks jobs/job.py for it by name; a door, the course or the bench may be about one."""
    about_jobs = ("jobs/", "doors/", "lessons/", "bench/", "offline/", "tests/")
    others = {path.parent.name for path in (PROJECT / "jobs").glob("*/job.py")}
    for path in source_files():
        name = path.relative_to(PROJECT).as_posix()
        if name.startswith(about_jobs):
            continue
        assert not {f"jobs.{job}" for job in others} & {".".join(each.split(".")[:2]) for each in imported(path)}, name
    for job in others:
        for path in (PROJECT / "jobs" / job).rglob("*.py"):
            foreign = {f"jobs.{other}" for other in others - {job}}
            assert not foreign & {".".join(each.split(".")[:2]) for each in imported(path)}, path


def test_a_setting_that_one_job_has_is_named_in_no_room_below():
    about_jobs = ("jobs/", "doors/", "lessons/", "bench/", "offline/", "tests/")
    names = {name for kind in own_settings() for name in checks_of(kind)}
    assert len(names) > 20
    for path in source_files():
        if not path.relative_to(PROJECT).as_posix().startswith(about_jobs):
            assert not names & set(re.findall(r"\w+", path.read_text(encoding="utf-8"))), path


def test_every_room_stands_on_a_floor():
    listed = subprocess.run(["git", "ls-files", "*/*.py"], cwd=PROJECT, capture_output=True, encoding="utf-8").stdout
    rooms = {name.split("/")[0] for name in listed.split()} - {"docs", "tests", "calculator", "datasets", "samples"}
    assert rooms <= FLOORS.keys()


@pytest.mark.parametrize("name", ["README.md", "docs/architecture.md"])
def test_every_room_has_a_row_among_the_rooms(name: str):
    rows = re.findall(r"^\| (.+?) \|", (PROJECT / name).read_text(encoding="utf-8"), re.MULTILINE)
    named = {room.removesuffix(".py") for row in rows for room in re.findall(r"[`\[](\w+(?:\.py|/))", row)}
    assert {room.removesuffix("/") for room in named} >= FLOORS.keys()


def test_the_built_in_model_imports_nothing_of_the_agent():
    for path in (PROJECT / "offline").rglob("*.py"):
        assert rooms_imported(path) <= {"sandbox", "config"}, path


def test_neither_wire_imports_the_others_file():
    for path in (PROJECT / "providers").glob("*_*.py"):
        other = {"openai": "gemini", "gemini": "openai"}.get(path.name.split("_")[0])
        assert not any(module.startswith(f"providers.{other}") for module in imported(path)), path


def test_no_sdk_is_imported_where_a_module_is_loaded():
    for path in source_files():
        if of_the_program(path):
            tops = {module.split(".")[0] for module in imported(path, at_the_top=True)}
            assert not tops & HEAVY, path


def loop_in(name: str) -> list[str]:
    """The lines of run_agent, with what is the provider's own name taken out."""
    text = (PROJECT / name).read_text(encoding="utf-8")
    node = next(each for each in ast.parse(text).body if getattr(each, "name", "") == "run_agent")
    return [line.replace("openai_", "_").replace("gemini_", "_") for line in ast.unparse(node).splitlines()]


def test_the_two_loops_laid_side_by_side_differ_in_the_name_of_the_provider_alone():
    assert loop_in("main.py") == loop_in("providers/gemini.py")


def test_no_file_but_a_tools_own_names_a_tool_in_its_code():
    """A text that a model or a person reads may name one; a decision may not hang on it."""
    rooms = [PROJECT / room for room in ("agent", "records", "cli", "providers")]
    files = [
        PROJECT / "call_functions.py",
        PROJECT / "main.py",
        *(path for room in rooms for path in room.rglob("*.py")),
    ]
    for path in filter(of_the_program, files):
        named = {node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)}
        assert not named & CATALOGUE.keys(), path


@pytest.mark.parametrize("resources", [{}, {"repository": None}], ids=["anywhere", "in a repository"])
def test_no_text_of_a_tool_of_the_coders_names_a_tool_that_the_coder_has_not(resources: Resources):
    """Whatever looks like a tool's name counts: one that went may have no file any more."""
    offered = Catalogue(coder.tools(resources))
    known = {*offered, *(name for tool in offered.values() for name in tool.parameters["properties"])}
    known |= {"file_size", "is_dir"}  # what a line of a listing says
    for tool in offered.values():
        tree = ast.parse((PROJECT / "functions" / f"{tool.name}.py").read_text(encoding="utf-8"))
        texts = [str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        named = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", " ".join([*texts, json.dumps(tool.schema)])))
        assert named <= known, f"functions/{tool.name}.py"


@pytest.mark.parametrize("package", ["functions", "sandbox", "agent"])
def test_tools_sandbox_and_agent_know_no_sdk(package: str):
    for path in (PROJECT / package).rglob("*.py"):
        assert not {module.split(".")[0] for module in imported(path)} & SDKS, path


def tokens_with(schemas: object) -> float:
    """What the coder's prompt costs with these schemas, at four characters a token."""
    return (len(system_prompt(coder.JOB.prompt)) + len(json.dumps(schemas))) / 4


@pytest.mark.parametrize(("wire", "dialect"), [("openai", openai_tools), ("gemini", gemini_tools)])
def test_prompt_and_schemas_cost_at_most_900_tokens(wire: str, dialect: Callable[[Catalogue], object]):
    offered = Catalogue(coder.tools({"repository": None}))  # in a repository, where there are most
    left = 900 - tokens_with(dialect(offered))
    for tool in offered.values():  # pytest shows it where this fails, and with -s
        print(f"{wire}: {tool.name} costs {len(json.dumps(dialect(Catalogue([tool])))) / 4:g} tokens")
    print(f"{wire}: {left:g} tokens are left of 900")
    assert left >= 0, "shorten a text above, or let a tool go: docs/adding.md, A tool, says who else knows it"


def test_the_coder_has_no_room_for_another_tool_as_the_tour_says():
    schemas = openai_tools(Catalogue(coder.tools({"repository": None})))
    left = 900 - tokens_with(schemas)
    assert left < min(len(json.dumps(each)) for each in schemas) / 4, (
        "docs/read-the-source.md and adding.md say there is none"
    )


@pytest.mark.parametrize("name", ["main.py", "providers/gemini.py"])
def test_a_loop_fits_in_150_lines(name: str):
    assert len((PROJECT / name).read_text(encoding="utf-8").splitlines()) < 150


@pytest.mark.parametrize("path", sorted((PROJECT / "functions").glob("*.py")), ids=lambda path: path.stem)
def test_a_tool_fits_in_120_lines_and_stands_in_a_file_of_its_own_name(path: Path):
    """Also one that only a repository or a small model brings into a run."""
    offered = import_module(f"functions.{path.stem}") if path.stem != "__init__" else None
    if hasattr(offered, "TOOL"):
        assert offered.TOOL.name == path.stem
        assert len(path.read_text(encoding="utf-8").splitlines()) < 120
    else:
        assert path.stem not in CATALOGUE


def test_both_dialects_offer_the_same_tools_and_never_the_working_directory():
    for tool in CATALOGUE.values():
        assert "working_directory" not in tool.schema["parameters"]["properties"]
    declared = gemini_tools(CATALOGUE)[0]["functionDeclarations"]
    assert (
        [each["name"] for each in declared]
        == [each["function"]["name"] for each in openai_tools(CATALOGUE)]
        == list(CATALOGUE)
    )


def test_the_gemini_dialect_is_accepted_by_googles_own_types():
    from google.genai import types

    tool = types.Tool.model_validate(gemini_tools(CATALOGUE)[0])
    assert [each.name for each in tool.function_declarations] == list(CATALOGUE)
    assert {each.parameters.type for each in tool.function_declarations} == {types.Type.OBJECT}


def pins_in(name: str) -> dict[str, str]:
    """The versions that a file for plain pip pins, all of them hashed, from no address."""
    text = (PROJECT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert all("--hash=sha256:" in block for block in re.split(r"^(?=[\w.,[\]-]+==)", text, flags=re.MULTILINE)[1:])
    return dict(re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)", text, re.MULTILINE))


def test_the_pins_for_plain_pip_are_within_the_ranges_of_the_project_and_hashed():
    from packaging.requirements import Requirement
    from packaging.version import Version

    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    needed, more = project["project"]["dependencies"], project["dependency-groups"]["dev"]
    for name, wanted in (("requirements.txt", needed), ("requirements-dev.txt", [*needed, *more])):
        pins = pins_in(name)
        for requirement in map(Requirement, wanted):
            assert Version(pins[requirement.name.lower()]) in requirement.specifier, f"{name}: {requirement}"
    assert not {"pytest", "ruff", "hypothesis"} & pins_in("requirements.txt").keys(), "what a person runs, and no more"
    assert pins_in("requirements.txt").items() <= pins_in("requirements-dev.txt").items()


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_what_a_package_asks_for_with_an_extra_is_pinned_with_it(name: str):
    """Else older pips (23.2 is one) take the newest there is for it, and refuse that since it has no hash: what could be
    installed yesterday cannot be today."""
    from importlib.metadata import distributions

    from packaging.requirements import Requirement

    text = (PROJECT / name).read_text(encoding="utf-8")
    pinned = {each.lower() for each in re.findall(r"^([\w.-]+(?:\[[\w,-]+\])?)==", text, re.MULTILINE)}
    here = {each.metadata["Name"].lower(): each for each in distributions()}
    asked = [Requirement(each) for package in pins_in(name) if package in here for each in here[package].requires or ()]
    asked = [each for each in asked if each.extras and (each.marker is None or each.marker.evaluate({"extra": ""}))]
    with_extras = {f"{each.name.lower()}[{','.join(sorted(each.extras))}]" for each in asked}
    assert "google-auth[requests]" in with_extras, "google-genai asks for it"
    assert with_extras <= pinned


@pytest.mark.parametrize(("provider", "foreign"), [("lmstudio", "google.genai"), ("gemini", "openai")])
def test_a_run_never_imports_the_other_providers_sdk(
    provider: str, foreign: str, built_in_model: str, calculator: Path
):
    program = (
        "import sys\nfrom cli import start as cli\n"
        "code = cli.main(['what files are in the root?'])\n"
        f"sys.exit(code or 10 * ({foreign!r} in sys.modules))"
    )
    environment = {
        "LLM_PROVIDER": provider,
        "LMSTUDIO_BASE_URL": f"{built_in_model}/v1",
        "GEMINI_BASE_URL": built_in_model,
        "GEMINI_API_KEY": "x",
        "GLASSBOX_WORKING_DIRECTORY": str(calculator),
        "RUNS_DIRECTORY": str(calculator.parent / "runs"),
        "PATH": "",
    }
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, env=environment, capture_output=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr.decode()


def test_help_imports_no_sdk_and_no_tool():
    program = (
        "import sys\nfrom cli import start as cli\n"
        "try:\n    cli.main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'openai', 'google', 'rich', 'httpx2', 'list_functions', 'dotenv', 'prompt_toolkit'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, timeout=60)
    assert ran.returncode == 0, ran.stderr.decode()


def test_the_calculator_in_the_repository_is_the_one_that_reset_puts_back():
    listed = subprocess.run(["git", "ls-tree", "-r", "HEAD", "calculator"], cwd=PROJECT, capture_output=True)
    if listed.returncode:
        pytest.skip("no git repository here")
    blobs = {line.split(b"\t")[1].decode(): line.split()[2].decode() for line in listed.stdout.splitlines()}
    held = {
        name.removeprefix("calculator/"): subprocess.run(
            ["git", "cat-file", "blob", blob], cwd=PROJECT, capture_output=True, check=True
        ).stdout
        for name, blob in blobs.items()
    }
    assert shipped() == held
    assert packed(held) == SHIPPED.read_bytes(), "make it again: SHIPPED.write_bytes(packed(contents(CALCULATOR)))"


NAMED = re.compile(
    r"(?<![\w/.-])((?:agent|cli|functions|jobs|offline|providers|records|sandbox|people|bench|docs|lessons|tests|samples)"
    r"/[\w/.-]*\.(?:py|md|html|json|yaml|txt|jsonl|svg|sh))\b"
)


def test_no_page_docstring_or_message_names_a_file_that_is_not_there():
    listed = subprocess.run(["git", "ls-files"], cwd=PROJECT, capture_output=True, encoding="utf-8").stdout.split("\n")
    if listed == [""]:
        pytest.skip("no git repository here")
    apart = (
        "datasets/bugs/",
        "datasets/homework/",
        "samples/",
        "tests/",
        "lessons/0",
        "lessons/1",
        "lessons/2",
        "calculator/",
    )
    for name in listed:
        if not name.endswith((".py", ".md", ".yml", ".html", ".example")) or name.startswith(apart):
            continue
        for named in NAMED.findall((PROJECT / name).read_text(encoding="utf-8")):
            staged = PROJECT / named.removesuffix(".md") / "README.md"  # a lesson's page
            there = (PROJECT / named).exists() or (PROJECT / "docs" / named).exists() or staged.exists()
            assert there, f"{name} names {named}"
