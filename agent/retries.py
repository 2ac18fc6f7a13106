"""Trying again, after a failure: one policy for every provider, told to the person while it waits.

Both SDKs have a policy of their own, and both are switched off: two policies multiply their attempts, the SDK's waits
are silent, and google-genai's cannot read the delay that Google asks for.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from agent.context import Context
from agent.contracts import Reply
from agent.errors import Passing, ProviderError, TooLong
from agent.run import Run

FIRST_WAIT = 1.0  # seconds; doubled for each further attempt
LONGEST_WAIT = 60.0  # seconds; a server that asks for more is not waited for
JITTER = 0.25  # share of a wait that is left to chance, so that clients do not come back all at once


def persist(attempt: Callable[[], Reply], failure: Passing | TooLong, context: Context, run: Run) -> Reply:
    """Return the reply of the first attempt that works after one that has failed, with pauses between; a request is
    never resumed in its middle.

    When the conversation is too long for the model it is shortened, and sent again once. Raises ProviderError with
    the last failure and the next step when it does not pass. Ctrl-C ends a pause at once.
    """
    failed, made_room = 0, False
    while True:
        if isinstance(failure, TooLong):
            if made_room:
                raise failure
            context.make_room(failure)
            made_room = True
        else:
            run.go_on()
            failed += 1
            wait = pause(failure, failed)
            if failed >= failure.attempts or wait > LONGEST_WAIT:
                raise ProviderError(final(failure, failed, wait)) from failure
            run.notice(f"{failure} Trying again in {wait:.0f} s (attempt {failed + 1} of {failure.attempts}).")
            run.go_on(wait)
        try:
            return attempt()
        except (Passing, TooLong) as again:
            failure = again


def pause(error: Passing, failed: int) -> float:
    """Return the seconds to wait: never less than the server asks for."""
    if error.wait is not None:
        return error.wait + random.random() * JITTER
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (failed - 1)) * (1 + JITTER * (2 * random.random() - 1))


def final(error: Passing, failed: int, wait: float) -> str:
    if failed < error.attempts and wait > LONGEST_WAIT:
        given_up = f"It asks to wait {wait:.0f} s, which is longer than this program waits."
    else:
        given_up = f"Tried {failed} times." if failed > 1 else ""
    return " ".join(part for part in (str(error), given_up, error.advice) if part)
