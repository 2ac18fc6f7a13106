"""What a long conversation costs this program itself grows with its length, not with its square."""

from __future__ import annotations

import pytest

from bench.turns import measure


@pytest.mark.long  # not for its length, but because other tests run beside those that are not
@pytest.mark.parametrize("wire", ["openai", "gemini"])
def test_four_hundred_turns_cost_at_most_two_and_a_half_times_two_hundred(wire: str):
    # The better of two: what the machine does beside it only ever adds.
    half, whole = (min(measure(wire, "run", turns) for _ in range(2)) for turns in (200, 400))
    assert whole <= 2.5 * half, f"{half:.2f} s for 200 turns, {whole:.2f} s for 400"
