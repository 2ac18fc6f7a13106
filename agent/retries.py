"""Trying again: one policy for every provider, told to the person while it waits.

Both SDKs have a policy of their own, and both are switched off: two policies multiply their attempts, the SDK's waits
are silent, and google-genai's cannot read the delay that Google asks for.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from agent.context import Context, TooLong
from agent.contracts import ProviderError, Reply
from agent.run import Run

ATTEMPTS = 4  # in all, for a failure that passes by itself
FIRST_WAIT = 1.0  # seconds; doubled for each further attempt
LONGEST_WAIT = 60.0  # seconds; a server that asks for more is not waited for
JITTER = 0.25  # share of a wait that is left to chance, so that clients do not come back all at once


class Passing(ProviderError):
    """A failure that may pass by itself. `wait` is how many seconds the server asks for, if it does."""

    def __init__(self, text: str, *, advice: str = "", wait: float | None = None, attempts: int = ATTEMPTS) -> None:
        super().__init__(text)
        self.advice, self.wait, self.attempts = advice, wait, attempts


def persist(attempt: Callable[[], Reply], context: Context, run: Run) -> Reply:
    """Return the reply of the first attempt that works, with pauses between; a request is never resumed in its middle.

    When the conversation is too long for the model it is shortened, and sent again once. Raises ProviderError with
    the last failure and the next step when it does not pass. Ctrl-C ends a pause at once.
    """
    if run.known and (known := run.known.reply(context, run)):
        return known
    failed, made_room = 0, False
    while True:
        try:
            return attempt()
        except TooLong as error:
            if made_room:
                raise
            context.make_room(error)
            made_room = True
        except Passing as error:
            run.go_on()
            failed += 1
            wait = pause(error, failed)
            if failed >= error.attempts or wait > LONGEST_WAIT:
                raise ProviderError(final(error, failed, wait)) from error
            run.notice(f"{error} Trying again in {wait:.0f} s (attempt {failed + 1} of {error.attempts}).")
            run.go_on(wait)


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
