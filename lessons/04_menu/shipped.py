"""The real agent in place of the learner's schema(): the SCHEMA that stands beside each tool."""

from collections.abc import Callable
from typing import Any

from jobs.coder import tools
from functions.tool import Catalogue

CATALOGUE = Catalogue(tools({}))
WRITTEN_BY_HAND = [tool.function for tool in CATALOGUE.values()]


def schema(function: Callable[..., str]) -> dict[str, Any]:
    return CATALOGUE[function.__name__].schema
