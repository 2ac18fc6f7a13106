"""The real agent in place of the learner's schema(): the SCHEMA that stands beside each tool."""

from collections.abc import Callable
from typing import Any

import list_functions

TOOLS = [tool.function for tool in list_functions.TOOLS.values()]


def schema(function: Callable[..., str]) -> dict[str, Any]:
    return list_functions.TOOLS[function.__name__].schema
