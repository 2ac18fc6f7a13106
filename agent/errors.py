"""What a provider's failure is, wherever it happens: one line for the person, with the next step."""

from __future__ import annotations


class ProviderError(Exception):
    """The server or the model failed. The text is one line for the person, with the next step."""


class Passing(ProviderError):
    """A failure that may pass by itself. `wait` is how many seconds the server asks for, if it does; `attempts` how
    often it is tried in all; `advice` what the person can do where it stays."""

    def __init__(self, text: str, *, advice: str = "", wait: float | None = None, attempts: int = 4) -> None:
        super().__init__(text)
        self.advice, self.wait, self.attempts = advice, wait, attempts


class TooLong(ProviderError):
    """The conversation does not fit the model's window; both in tokens, None where nobody said."""

    def __init__(self, window: int | None, size: int | None) -> None:
        is_size = f" ({size:,} tokens)" if size else ""
        is_window = f" ({window:,} tokens)" if window else ""
        super().__init__(
            f"The conversation{is_size} does not fit the model's context window{is_window}. "
            "Load the model with a larger context length (LM Studio: the model's settings when it is loaded), "
            "or ask for something smaller."
        )
        self.window, self.size = window, size
