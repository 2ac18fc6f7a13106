"""What a long conversation costs this program itself grows with its length, not with its square."""

from __future__ import annotations

import pytest

from bench.turns import Spent, measure


@pytest.mark.long  # not for its length, but because other tests run beside those that are not
@pytest.mark.parametrize("wire", ["openai", "gemini"])
def test_four_hundred_turns_cost_at_most_two_and_a_half_times_two_hundred(wire: str):
    # The best of three: what the machine does beside it only ever adds. The SDK's encoding of each request is not this
    # program's own: on both wires a request carries the whole conversation, so that part must grow with the square.
    half, whole = (min(own(measure(wire, "run", turns)) for _ in range(3)) for turns in (200, 400))
    assert whole <= 2.5 * half, f"{half:.2f} s for 200 turns, {whole:.2f} s for 400"


def own(spent: Spent) -> float:
    assert spent.encoding > 0, "the SDK encodes requests in a way that the measurement does not see"
    return spent.seconds - spent.encoding
