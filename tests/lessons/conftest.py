"""What the tests of the course share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="module")
def a_lessons_search_is_made_once(the_same_search_is_made_once: None) -> None:
    """Every answer to lesson 14 has the built-in model repair the same calculator, and the search for that is nearly all
    that its check takes."""
