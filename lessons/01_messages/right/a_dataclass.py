from dataclasses import asdict, dataclass
from enum import Enum


class Role(str, Enum):
    SYSTEM = "system"
    USER = "user"


@dataclass
class Message:
    role: Role
    content: str


def start(system: str, task: str) -> list[dict]:
    return [asdict(message) for message in (Message(Role.SYSTEM, system), Message(Role.USER, task))]
