"""The service: a FastAPI application over SQLite."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI, Request, Response
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse

from app.auth import require_key
from app.routers import analytics, interactions, items, learners, pipeline
from app.settings import load_settings
from make_database import make_database


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    """Make the database where there is none."""
    path = load_settings().database_path
    if not path.exists():
        make_database(path)
    yield


app = FastAPI(title="Course library", version="1.4.0", lifespan=lifespan)
app.add_middleware(CORSMiddleware, allow_origins=["http://localhost:5173"], allow_methods=["GET", "POST"])

protected = [Depends(require_key)]
app.include_router(items.router, prefix="/items", tags=["items"], dependencies=protected)
app.include_router(learners.router, prefix="/learners", tags=["learners"], dependencies=protected)
app.include_router(interactions.router, prefix="/interactions", tags=["interactions"], dependencies=protected)
app.include_router(analytics.router, prefix="/analytics", tags=["analytics"], dependencies=protected)
app.include_router(pipeline.router, prefix="/pipeline", tags=["pipeline"], dependencies=protected)


@app.middleware("http")
async def add_process_time(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    started = time.perf_counter()
    response = await call_next(request)
    response.headers["X-Process-Time"] = f"{time.perf_counter() - started:.4f}"
    return response


@app.exception_handler(Exception)
async def explain(request: Request, error: Exception) -> JSONResponse:
    """Say what went wrong: this service is for learners, who are to find out why."""
    content = {"detail": str(error), "type": type(error).__name__, "path": request.url.path}
    return JSONResponse(content, status_code=500)


@app.get("/health", tags=["service"])
def health() -> dict[str, str]:
    """Whether the service answers. The only endpoint that needs no key."""
    return {"status": "ok"}
