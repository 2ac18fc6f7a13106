from typing import Literal, TypedDict


class Message(TypedDict):
    role: Literal["system", "user", "assistant", "tool"]
    content: str


def start(system: str, task: str) -> list[Message]:
    first: Message = {"role": "system", "content": system}
    second: Message = {"role": "user", "content": task}
    return [first, second]
