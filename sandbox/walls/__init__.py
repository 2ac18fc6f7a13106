"""Which walls stand around a run: found out by the supervisor, told to the agent."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Walls:
    """What stands around a run. Found out once by the supervisor; every run gets all of it or does not start."""

    landlock: int = 0  # its version, 0 for none
    seccomp: bool = False
    namespaces: bool = False
    fork: bool = True  # whether the code may have child processes
    seatbelt: bool = False

    @property
    def confined(self) -> bool:
        return bool(self.landlock and self.seccomp) or self.seatbelt
