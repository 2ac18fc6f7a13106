"""An endpoint that answers 500 because what it returns does not fit its response model: field, model and place."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import Settings
from jobs.job import job_named
from jobs.librarian.settings import LibrarianSettings
from main import run_agent
from offline.librarian.responses import misfit_of
from reach.service import serving
from sandbox.files.root import Root

MODELS = """\
from pydantic import BaseModel


class Owner(BaseModel):
    email: str


class Named(BaseModel):
    name: str


class Item(Named):
    id: int
    owner: Owner
    price: float
    note: str | None = None
"""
ROUTES = """\
from fastapi import APIRouter

from shop.models import Item

router = APIRouter()


@router.get("/items/", response_model=list[Item])
def list_items():
    rows = [{"id": 1, "name": "pen", "owner": {}, "price": 2.5}]
    return rows


@router.get("/items/{number}")
async def one_item(number: int) -> Item:
    return {"id": number, "name": "pen", "owner": {"email": "a@example.org"}}
"""
SERVE = """\
import socket
import sys

listening = socket.create_server(("127.0.0.1", 0))
print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)  # who asks waits for what is imported below

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from shop.routes import router

app = FastAPI()
app.include_router(router)

if "--explain" in sys.argv:

    @app.exception_handler(Exception)
    async def explain(request: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"detail": str(error), "type": type(error).__name__}, status_code=500)


uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listening])
"""


@pytest.fixture(params=["--explain", "--plain"])
def shop(request: pytest.FixtureRequest, project) -> Iterator[tuple[Path, str, bool]]:
    """A project, the address of its running API, and whether its answers say what failed."""
    pytest.importorskip("fastapi", reason="the extra `librarian` is not installed")
    files = {"shop/__init__.py": "", "shop/models.py": MODELS, "shop/routes.py": ROUTES, "serve.py": SERVE}
    place = project(files)
    with serving([sys.executable, "-B", "serve.py", request.param], place, {"PATH": "/usr/bin:/bin"}) as address:
        yield place, address, request.param == "--explain"


@pytest.mark.long
def test_a_field_that_the_response_model_requires_and_nothing_returns_is_named_with_model_and_place(
    shop, built_in_model: str, tmp_path: Path
):
    place, address, explains = shop
    settings = Settings(
        working_directory=place,
        runs_directory=tmp_path / "runs",
        jobs=(LibrarianSettings(address, "none"),),
        lmstudio_base_url=f"{built_in_model}/v1",
    )
    job, answers = job_named("librarian"), {}
    with Root(place) as root, job.opens(settings, root, print) as resources:
        for path in ("/items/7", "/items/"):
            begun = job.begin("lmstudio", root, settings, resources=resources)
            answers[path] = run_agent(f"Why does GET {path} fail with status code 500?", settings, begun)
    one, several = answers["/items/7"], answers["/items/"]
    assert (one.errors, one.report["status"], several.errors) == ((), "answered", ())
    assert "`one_item` returns" in one.answer
    assert "`price` of `Item` (shop/models.py:15)" in one.answer
    assert one.report["source"].split(", ") == ["shop/routes.py:16", "shop/models.py:15", "API endpoint GET /items/7"]
    assert (
        f"`email` of `Owner` (shop/models.py:5): {'Field required' if explains else 'it is required'}" in several.answer
    )
    assert several.report["source"].split(", ")[:2] == ["shop/routes.py:10", "shop/models.py:5"]


def test_what_fits_its_model_has_no_cause_made_up_for_it():
    sound = ROUTES.replace('"owner": {}', '"owner": {"email": "x"}')
    assert misfit_of({"models.py": MODELS, "routes.py": sound}, "/items/", "Internal Server Error") is None


def test_a_field_that_comes_from_another_model_and_one_that_is_none_are_named_too():
    source = ROUTES.replace('"name": "pen"', '"name": None')
    found = misfit_of({"models.py": MODELS, "routes.py": source}, "/items/", "Internal Server Error")
    assert found is not None
    file, function, cause, place = found
    assert (file, function, cause.line, place) == ("routes.py", "list_items", 10, "models.py:9")
    assert "`name` of `Item` (models.py:9): it may not be None" in cause.why


def test_source_that_cannot_be_read_and_a_model_that_is_not_there_give_nothing():
    assert misfit_of({"routes.py": "def broken(:"}, "/items/", "ResponseValidationError") is None
    assert misfit_of({"routes.py": ROUTES}, "/items/", "ResponseValidationError") is None
