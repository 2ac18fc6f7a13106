"""What the first run taught about the tests, as every later run needs it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Facts:
    """What the first run taught: which tests failed, and how long each may take (seconds of processor time)."""

    failing: list[str] = field(default_factory=list)
    passing: list[str] = field(default_factory=list)
    wishes: list[str] = field(default_factory=list)  # failing tests that should pass but need not (the user's words)
    limits: dict[str, float] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)  # by the clock; what each test took in the first run
    usual_seconds: float = 1.0  # by the clock; nearly all passing tests took less
    depths: dict[str, int] = field(default_factory=dict)  # how far each failing test came
    default_limit: float = 1.0  # for tests without a limit of their own
    import_limit: float = 1.0
    imported: dict[str, list[int]] = field(default_factory=dict)  # path -> lines that ran during import
    run_again: dict[str, list[int]] = field(default_factory=dict)  # those of them that failing tests run too
    waits: bool = False  # the tests mostly wait: more of them can run side by side than there are cores
    aside: dict[str, str] = field(default_factory=dict)  # tests that no change here can help -> lacking module
    slow: list[str] = field(default_factory=list)  # that had not ended, while others failed: nobody can wait for them
    on_disk: list[str] = field(default_factory=list)  # failing tests that see the files and not only what is in memory
    cut: bool = False  # the first run was cut short: tests that are neither failing nor passing are unknown
    memory: int = 0  # bytes of data that the first run held at its peak; 0 when unknown
    modules: list[str] = field(default_factory=list)  # that the project imports and that are not its own
    late: list[str] = field(default_factory=list)  # its own that only tests import, while they run

    def still_of(self, test: str) -> float:
        """How many seconds may pass by the clock: a test whose thread died waits for ever, and uses no processor."""
        return 1.0 + 20 * max(self.seconds.get(test, self.usual_seconds), self.usual_seconds)

    def limit_of(self, test: str) -> float:
        """How long a test may take."""
        return self.limits.get(test, self.default_limit)
