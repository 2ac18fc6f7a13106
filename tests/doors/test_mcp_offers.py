"""What our MCP server offers beside tools: files of the working directory and nothing else, and its job as a prompt."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from config import load_settings
from doors.mcp_offers import LARGEST_FILE, PAGE, address_of
from doors.mcp_server import server_of
from jobs.job import job_named
from session import opened, read_instructions


def ask(folder: Path, what: Callable[[Client], Awaitable[Any]], job: str = "coder") -> Any:
    """What a client gets of a server for this directory, in one process."""

    async def session() -> Any:
        settings = load_settings({"working_directory": folder, "llm_provider": "lmstudio"})
        with opened(settings, job_named(job)) as session:
            run = session.begin(instructions=read_instructions(session.root)[0])
            async with Client(server_of(run, session.job), cache=None) as client:
                return await what(client)

    return asyncio.run(session())


def test_the_resources_are_the_files_that_the_tools_would_find(project: Callable[[dict[str, str]], Path]):
    folder = project({"a.py": "x = 1\n", "sub/b c?.md": "# b\n", ".git/config": "x", "node_modules/n.js": "x"})
    (folder / "out.txt").symlink_to("/etc/passwd")

    async def listed(client: Client) -> Any:
        return (await client.list_resources()).resources

    found = {each.name: each for each in ask(folder, listed)}
    assert sorted(found) == ["a.py", "sub/b c?.md"]
    assert found["sub/b c?.md"].uri == "workdir:///sub/b%20c%3F.md"
    assert found["a.py"].size == 6
    assert str(folder) not in str(found)


def test_a_file_is_read_as_what_it_is(project: Callable[[dict[str, str]], Path]):
    folder = project({"sub/b c?.md": "# b\r\n", "odd.xyz1": "ü\n"})
    (folder / "picture.png").write_bytes(b"\x89PNG\0")

    async def read(client: Client) -> Any:
        paths = ("sub/b c?.md", "odd.xyz1", "picture.png")
        return [(await client.read_resource(address_of(path))).contents[0] for path in paths]

    markdown, odd, picture = ask(folder, read)
    assert (markdown.text, markdown.mime_type) == ("# b\r\n", "text/markdown")
    assert (odd.text, odd.mime_type) == ("ü\n", "text/plain")
    assert (base64.b64decode(picture.blob), picture.mime_type) == (b"\x89PNG\0", "image/png")


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("workdir:///../secret.txt", "outside"),
        ("workdir:///%2e%2e/secret.txt", "outside"),
        ("workdir:////etc/passwd", "outside"),
        ("workdir:///link.txt", "link"),
        ("workdir:///.git/config", ""),
        ("workdir:///gone.txt", "gone.txt"),
        ("workdir:///", "not a regular file"),
        ("workdir:///large.bin", "large"),
        ("file:///etc/passwd", "begin with workdir:///"),
    ],
)
def test_nothing_else_is_a_resource_and_the_refusal_says_why(
    uri: str, said: str, project: Callable[[dict[str, str]], Path]
):
    folder = project({"a.py": "x = 1\n", ".git/config": "[remote]\n"})
    (folder.parent / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    with (folder / "large.bin").open("wb") as large:
        large.truncate(LARGEST_FILE + 1)

    async def read(client: Client) -> Any:
        with pytest.raises(MCPError) as refused:
            await client.read_resource(uri)
        return refused.value

    refused = ask(folder, read)
    assert refused.code == -32602
    assert said in refused.message
    assert refused.data == {"uri": uri}
    assert str(folder.parent) not in refused.message


def test_many_files_come_in_pages_that_together_are_all(project: Callable[[dict[str, str]], Path]):
    folder = project({f"{n:04}.txt": "" for n in range(2 * PAGE + 1)})

    async def pages(client: Client) -> Any:
        found, cursor = [], None
        while cursor != "":
            page = await client.list_resources(cursor=cursor)
            found.append([each.name for each in page.resources])
            cursor = page.next_cursor or ""
        with pytest.raises(MCPError, match="cursor"):
            await client.list_resources(cursor="../..")
        return found

    found = ask(folder, pages)
    assert [len(page) for page in found] == [PAGE, PAGE, 1]
    assert sum(found, []) == [f"{n:04}.txt" for n in range(2 * PAGE + 1)]


def test_the_job_is_a_prompt_with_the_persons_task_and_instructions(project: Callable[[dict[str, str]], Path]):
    folder = project({"AGENTS.md": "Speak of boats."})

    async def prompts(client: Client) -> Any:
        (prompt,) = (await client.list_prompts()).prompts
        got = await client.get_prompt("coder", {"task": "fix the bug"})
        with pytest.raises(MCPError, match="task"):
            await client.get_prompt("coder")
        with pytest.raises(MCPError, match="only 'coder'"):
            await client.get_prompt("auditor", {"task": "x"})
        return prompt, got

    prompt, got = ask(folder, prompts)
    assert (prompt.name, prompt.arguments[0].name, prompt.arguments[0].required) == ("coder", "task", True)
    (message,) = got.messages
    assert message.role == "user"
    assert "careful coding agent" in message.content.text
    assert "Speak of boats." in message.content.text
    assert message.content.text.endswith("fix the bug")
