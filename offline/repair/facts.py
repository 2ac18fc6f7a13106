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
    depths: dict[str, int] = field(default_factory=dict)  # how far each failing test came
    default_limit: float = 1.0  # for tests without a limit of their own
    import_limit: float = 1.0
    imported: dict[str, list[int]] = field(default_factory=dict)  # path -> lines that ran during import
    modules: list[str] = field(default_factory=list)  # that the project imports and that are not its own
