"""The librarian's mind: what kind a question is, what it quotes, which expression it names, and where it stops."""

from __future__ import annotations

import ast
import json
import threading

import pytest

from offline.librarian.causes import cause_of
from offline.librarian.mind import MOST_CALLS, decide
from offline.librarian.question import endpoints_in, named_endpoint, read_question
from offline.librarian.quoting import blocks, lines_about, own, passage
from offline.librarian.steps import Piece, piece
from offline.librarian.words import stem, terms
from offline.minds import minds
from offline.wire.conversation import Conversation, Step

API = """Call it. Endpoints:
GET /items/?type= - All items, or those of one type: lab or task
GET /items/{item_id} - Get Item
GET /learners/?group= - All learners, or those of one group
GET /interactions/?item_id=&limit=(at most 5000)&offset= - A page of interactions, oldest first
GET /analytics/completion-rate?lab= - Which share has reached the last task
GET /analytics/top-learners?lab=&limit=(at most 100) - The learners with the best average score
POST /pipeline/sync - Load what the feed holds"""


# Other questions than those that it was made with.
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("How do I set up two-factor authentication?", "wiki"),
        ("What must I do before the first lecture?", "wiki"),
        ("Which classes are defined in backend/app/models.py?", "source"),
        ("What does the function load_feed return?", "source"),
        ("How many interactions have been recorded?", "data"),
        ("Which status code does GET /items/9999 give?", "data"),
        ("Why does /analytics/top-learners raise an exception for lab-04?", "bug"),
        ("The learners endpoint is broken, why?", "bug"),
        ("What is the difference between an image and a container?", "compare"),
        ("Explain the life cycle of a request", "path"),
    ],
)
def test_a_question_is_sorted_into_its_kind(text: str, kind: str):
    assert read_question(text, API).kind == kind


def test_without_an_api_nothing_is_asked_of_one():
    assert read_question("How many learners are there?", "").kind == "wiki"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("How many learners are there?", "/learners/"),
        ("What is the completion rate of lab-02?", "/analytics/completion-rate"),
        ("How many labs are there?", "/items/"),
        ("What does GET /items/3 say?", "/items/{item_id}"),
        ("Who are the top learners of lab-01?", "/analytics/top-learners"),
    ],
)
def test_an_endpoint_is_meant_by_its_path_its_words_or_a_value_of_it(text: str, path: str):
    assert named_endpoint(read_question(text, API)).path == path


def test_the_parameters_of_an_endpoint_are_read_with_the_most_they_may_be():
    interactions = next(each for each in endpoints_in(API) if each.path == "/interactions/")
    assert interactions.parameters == {"item_id": None, "limit": 5000, "offset": None}


SCHEMA = """Call it. Endpoints:
GET /reports?kind=(required weekly|monthly)&team=&limit=(at most 50) - Reports
GET /rooms?floor=(required)&wing= - Rooms"""


def test_what_the_schema_says_of_a_parameter_is_read_required_choices_and_the_most():
    reports, rooms = endpoints_in(SCHEMA)
    assert reports.parameters == {"kind": None, "team": None, "limit": 50}
    assert (reports.required, reports.choices) == ({"kind"}, {"kind": ["weekly", "monthly"]})
    assert (rooms.required, rooms.choices) == ({"floor"}, {})
    (cut,) = endpoints_in("GET /long?kind=(required weekly|mont")
    assert cut.path == "/long"


def asked_of(question: str, description: str, answers: dict[str, dict[str, object]]) -> tuple[str, list[str]]:
    """What the mind answers where the API gives these answers, and the paths that it asked, without a key in brackets."""
    names = ("search_docs", "read_file", "list_files", "query_api")
    schemas = {name: {"name": name, "description": description} for name in names}
    steps, paths = [], []
    while True:
        now = Conversation(question, tuple(steps), tools=frozenset(names), schemas=schemas)
        decision = decide(now, lambda line: None, threading.Event())
        if not decision.calls:
            return decision.text, paths
        for call in decision.calls:
            path, keyless = call.arguments.get("path", ""), call.arguments.get("auth") is False
            paths += [f"({path})" if keyless else path] if call.name == "query_api" else []
            said = answers.get(
                f"({path})" if keyless else path, {"status_code": 404, "body": '{"detail": "Not Found"}'}
            )
            result = json.dumps(said) if call.name == "query_api" else "Error: not here"
            steps.append(Step("", call.name, call.arguments, result))


NEEDS_FLOOR = {"status_code": 422, "body": '{"detail": [{"type": "missing", "loc": ["query", "floor"], "msg": "x"}]}'}


def test_a_path_that_the_question_names_is_asked_also_where_the_api_does_not_list_it():
    for description in (SCHEMA, "Call it."):
        text, paths = asked_of(
            "What does /hidden/list return?", description, {"/hidden/list": {"status_code": 200, "body": '{"a": 7}'}}
        )
        assert paths == ["/hidden/list"]
        assert '{"a": 7}' in text
        assert text.endswith("Source: API endpoint GET /hidden/list")


def test_a_status_is_asked_with_and_without_the_key():
    answers = {"/hidden": {"status_code": 200, "body": "1"}, "(/hidden)": {"status_code": 403, "body": "no"}}
    text, paths = asked_of("Which status code does /hidden give?", SCHEMA, answers)
    assert paths == ["/hidden", "(/hidden)"]
    assert "status code 200" in text
    assert "Without the key it is 403." in text


def test_what_an_answer_of_422_says_is_missing_is_filled_from_the_question():
    answers = {
        "/rooms?limit=1000": NEEDS_FLOOR,
        "/rooms": NEEDS_FLOOR,
        "/rooms?floor=floor-3": {"status_code": 200, "body": "[1]", "count": 1},
    }
    text, paths = asked_of("How many rooms are on floor-3?", "Call it. Endpoints:\nGET /rooms - Rooms", answers)
    assert paths == ["/rooms", "/rooms?floor=floor-3"]
    assert "There are 1" in text


def test_only_a_required_parameter_is_needed_and_its_choices_are_tried():
    broken = {"status_code": 500, "body": '{"type": "KeyError"}'}
    _, paths = asked_of("Why does /reports fail?", SCHEMA, {"/reports?kind=monthly": broken})
    assert paths == ["/reports?kind=weekly", "/reports?kind=monthly"]
    _, paths = asked_of("Why does /teams fail?", "Call it. Endpoints:\nGET /teams?wing= - Teams", {"/teams": broken})
    assert paths == ["/teams"]


def test_calls_that_were_not_taken_are_no_proof_that_nothing_fails():
    text, _ = asked_of(
        "Why does /rooms fail?", "Call it. Endpoints:\nGET /rooms?floor= - Rooms", {"/rooms": NEEDS_FLOOR}
    )
    assert text.startswith("I am not sure")
    assert "I saw no failure" not in text


@pytest.mark.parametrize(
    ("word", "other"), [("bodies", "body"), ("resolving", "resolve"), ("stages", "stage"), ("routers", "router")]
)
def test_forms_of_a_word_have_one_stem(word: str, other: str):
    assert stem(word) == stem(other)


def test_what_a_question_is_asked_with_is_not_what_it_is_about():
    assert terms("How do you resolve a merge conflict?") == [stem("resolve"), stem("merge"), stem("conflict")]


def cause(error: str, source: str):
    (function,) = ast.parse(source).body
    return cause_of(function, error, source)


def test_a_division_without_a_condition_is_named_and_one_with_a_condition_is_not():
    source = "def f(rows):\n    good = [r for r in rows if r]\n    a = 1 / len(rows) if rows else 0\n    return 5 / len(good)\n"
    found = cause("ZeroDivisionError", source)
    assert (found.line, found.expression) == (4, "5 / len(good)")
    assert "0 when `good` is empty" in found.why
    assert "good = [r for r in rows if r]" in found.lines
    assert cause("ZeroDivisionError", "def f(rows):\n    return 1 / len(rows) if rows else 0\n") is None


@pytest.mark.parametrize(
    "sort",
    [
        "sorted(rows, key=lambda r: r['score'])",
        "max(rows, key=lambda r: r.get('score'))",
        "rows.sort(key=lambda r: r.score)",
    ],
)
def test_a_comparison_by_what_may_be_none_is_named_with_where_none_comes_from(sort: str):
    source = f"def f(g):\n    rows = [dict(score=sum(g) / len(g) if g else None)]\n    return {sort}\n"
    found = cause("TypeError", source)
    assert found.line == 3
    assert "`score` is None for some: `sum(g) / len(g) if g else None`" in found.why


@pytest.mark.parametrize(
    ("error", "body", "expression"),
    [
        ("KeyError", "return row['name']", "row['name']"),
        ("IndexError", "return rows[-1]", "rows[-1]"),
        ("AttributeError", "return find(x).name", "find(x).name"),
    ],
)
def test_a_lookup_that_may_fail_is_named(error: str, body: str, expression: str):
    assert cause(error, f"def f(row, rows, x):\n    {body}\n").expression == expression


def test_an_error_that_is_not_known_has_no_cause_made_up_for_it():
    assert cause("OperationalError", "def f(a):\n    return a / len(a)\n") is None


def test_a_list_stays_with_the_line_that_announces_it_and_code_with_its_step():
    text = "Intro:\n\n- one\n- two\n\nAfter.\n\n```sh\na\n\nb\n```\n"
    assert blocks(text) == ["Intro:\n\n- one\n- two", "After.", "```sh\na\n\nb\n```"]


def test_what_is_indented_stays_with_the_paragraph_above_it():
    assert blocks("Do so.\n\n.. code-block:: sh\n\n    a\n\n    b\n\nAfter.\n") == [
        "Do so.",
        ".. code-block:: sh\n\n    a\n\n    b",
        "After.",
    ]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How do I rename a field?", "wiki"),
        ("Which title does the page of /pages have?", "data"),
        ("What is the default of page_limit?", "source"),
        ("Which function answers requests of /pages/{n}?", "source"),
        ("Which parameters does the endpoint /pages take?", "source"),
    ],
)
def test_how_to_is_asked_of_documents_a_path_of_the_api_and_a_name_of_the_source(question: str, kind: str):
    assert read_question(question, "Call the API.").kind == kind


def test_what_is_quoted_of_a_long_section_are_its_own_words():
    paragraphs = [f"Paragraph {number} says {'much ' * 60}." for number in range(9)] + ["The gate opens at nine."]
    piece = Piece("a.md", "a.md#x", 1, "## X\n\n" + "\n\n".join(paragraphs))
    said = passage(piece, terms("When does the gate open?"))
    assert "The gate opens at nine." in said
    assert all(part in piece.text for part in said.split("\n\n"))
    assert len(said) <= 1_300


def test_a_sections_own_text_ends_at_the_next_heading_unless_it_has_none():
    assert own(Piece("a.md", "a.md#x", 1, "# X\n\nmine\n\n## Y\n\nnot mine")) == "# X\n\nmine\n"
    assert "not empty" in own(Piece("a.md", "a.md#x", 1, "# X\n\n## Y\n\nnot empty"))


def test_what_stands_below_a_key_of_yaml_belongs_to_it():
    text = 'services:\n  web:\n    image: x\n    ports:\n      - "8080:80"\n'
    lines = lines_about(Piece("compose.yml", "compose.yml", 1, text), terms("Which ports?"))
    assert (5, '      - "8080:80"') in lines


def conversation(prompt: str, *steps: Step, tools: tuple[str, ...] = ("search_docs", "read_file", "list_files")):
    schemas = {name: {"name": name, "description": ""} for name in tools}
    return Conversation(prompt, steps, tools=frozenset(tools), schemas=schemas)


def decided(*arguments: object, **more: object):
    return decide(conversation(*arguments, **more), lambda line: None, threading.Event())


def test_nothing_found_is_said_and_nothing_made_up():
    found = Step("", "search_docs", {"query": "How do I fly?"}, "Nothing found. Try other words.")
    decision = decided("How do I fly?", found)
    assert decision.calls == ()
    assert decision.text == "I found nothing about this, so I cannot answer it."


def test_a_place_that_hardly_fits_is_quoted_with_the_doubt():
    question = "How do I repair the carburettor of a vintage motorcycle?"
    found = Step("", "search_docs", {"query": question}, "a.md#x | X | Some repair. | words: repair")
    read = Step("", "read_file", {"path": "a.md#x"}, "[a.md#x: lines 1-3 of 3]\n# X\n\nSome repair.")
    decision = decided(question, found, read)
    assert decision.text.startswith("I am not sure that this answers it")
    assert decision.text.endswith("Source: a.md#x")


@pytest.mark.parametrize(("name", "is_sure"), [("Auth", True), ("Billing", False)])
def test_an_answer_that_is_about_another_thing_than_the_question_names_is_told_with_the_doubt(name: str, is_sure: bool):
    question = f"Which port does the {name} service use?"
    found = Step("", "search_docs", {"query": question}, "a.md#port | Auth service > Port | Port 7001. | words: port")
    read = Step("", "read_file", {"path": "a.md#port"}, "[a.md#port: lines 3-5 of 5]\n## Port\n\nThe service: 7001.")
    said = decided(question, found, read).text
    assert said.startswith("I am not sure that this answers it") is not is_sure
    assert "The service: 7001." in said


FOUND = "a.md#render-a-page | Guide > Render a page | Call render. | words: render, page\n"
SECTION = "[a.md#render-a-page: lines 1-3 of 3]\n## Render a page\n\nCall render."


@pytest.mark.parametrize(
    ("question", "notes", "is_refused"),
    [
        ("How do I render a page as a PDF?", "[Stands nowhere: pdf]", False),  # a heading of the question's own words
        ("How do I render it as a PDF?", "[Stands nowhere: pdf]", True),
        ("How do I render a fancy certificate?", "[Stands nowhere: fancy, certificate]", True),
        ("How do I order a printed copy of the render manual?", "", True),
        ("How do I render something quickly?", "[Stands nowhere: quickly]", True),
        ("How do I render something with a call?", "", False),
    ],
)
def test_what_no_place_answers_is_refused_with_the_nearest_headings_and_no_quotation(
    question: str, notes: str, is_refused: bool
):
    found = Step("", "search_docs", {"query": question}, FOUND + notes)
    said = decided(question, found, Step("", "read_file", {"path": "a.md#render-a-page"}, SECTION)).text
    assert said.startswith("I found nothing that answers this.") is is_refused
    assert ("Call render." in said) is not is_refused
    assert ("Source: " in said) is not is_refused
    assert not is_refused or "Guide > Render a page (a.md#render-a-page)" in said


def test_files_that_were_not_searched_are_named_where_nothing_is_found():
    found = Step(
        "", "search_docs", {"query": "What is a zebra?"}, "Nothing found.\n[Not searched: big.md (larger than 1 MiB)]"
    )
    assert "Not searched: big.md (larger than 1 MiB)." in decided("What is a zebra?", found).text


@pytest.mark.parametrize(
    ("question", "scope"),
    [
        ("What does it say in the wiki about the port?", "documents"),
        ("Read the source: which port is it?", "source"),
        ("Which port is it?", ""),
    ],
)
def test_a_question_that_says_where_to_look_is_answered_from_there_alone(question: str, scope: str):
    places = {"documents": "a.md#port", "source": "app/port.py:4"}
    listed = "\n".join(f"{place} | Port | The port. | words: port" for place in places.values())
    (call, *_) = decided(question, Step("", "search_docs", {"query": question}, listed)).calls
    assert read_question(question, "").scope == scope
    assert {call.arguments["path"] for call in [call]} <= ({places[scope]} if scope else set(places.values()))


@pytest.mark.parametrize(
    ("compose", "file"),
    [
        ("  web:\n    build: ./backend\n", "backend/Dockerfile"),
        ("  web:\n    build:\n      context: ./backend\n      dockerfile: Dockerfile\n", "backend/Dockerfile"),
        ("  web:\n    build:\n      dockerfile: Dockerfile\n      context: backend\n", "backend/Dockerfile"),
        ("  web:\n    build: .\n", "Dockerfile"),
    ],
)
def test_the_folder_that_a_compose_file_builds_is_read_however_it_is_written(compose: str, file: str):
    question = "Describe the path of a request"
    listed = Step("", "list_files", {"path": "."}, "compose.yml")
    read = Step("", "read_file", {"path": "compose.yml"}, f"services:\n{compose}")
    assert [call.arguments["path"] for call in decided(question, listed, read).calls] == [file]


def test_it_never_makes_more_calls_than_are_allowed():
    question = "How do I do this?"
    other = tuple(Step("", "read_file", {"path": f"{number}"}, "x") for number in range(MOST_CALLS))
    assert decided(question, *other).calls == ()


def test_without_tools_it_answers_with_what_it_has():
    assert decided("How do I do this?", tools=()).calls == ()


@pytest.mark.parametrize(
    "result", ["", "{", "[]", "null", json.dumps({"status_code": 200}), "Error: no", "| | | |", "a | b | c | d"]
)
@pytest.mark.parametrize(
    "question",
    ["How many learners are there?", "Why does /items/ fail?", "Compare a.py with b.py", "Describe the path of a request", "Which web framework is used?", "How do I do it?"],
)  # fmt: skip
def test_results_that_make_no_sense_never_stop_it(question: str, result: str):
    schemas = {
        "query_api": {"name": "query_api", "description": API},
        **{name: {"name": name} for name in ("search_docs", "read_file", "list_files")},
    }
    steps: list[Step] = []
    for _ in range(MOST_CALLS + 1):
        asked = Conversation(question, tuple(steps), tools=frozenset(schemas), schemas=schemas)
        decision = decide(asked, lambda line: None, threading.Event())
        if not decision.calls:
            break
        steps += [Step("", call.name, call.arguments, result) for call in decision.calls]
    assert decision.calls == ()
    assert decision.text


def test_the_mind_is_found_by_its_tools():
    assert {"list_files", "read_file", "search_docs", "query_api"} == minds()["librarian"].TOOLS


def test_the_note_that_a_file_has_more_is_no_text_of_it():
    note = '[...File "a.py" truncated at 10000 characters]\n[Lines 1-2 of 9 shown. Read on with path=a.py:3.]'
    assert piece("a.py", f"one\ntwo\n{note}").text == "one\ntwo"
    assert piece("a.py:1", f"[a.py: lines 1-9 of 9]\none\n{note}\n").text == "one"
    assert piece("a.py", f"{note}\nafter").text == f"{note}\nafter"
