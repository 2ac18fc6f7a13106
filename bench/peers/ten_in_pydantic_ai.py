"""The ten small programs of docs/programs.md in pydantic-ai, to lay beside ours.

Each runs as it stands, against a model at the address that is the second argument:

    python bench/peers/ten_in_pydantic_ai.py 1 http://localhost:1234/v1

It needs an environment of its own with `pydantic-ai-slim[openai,google,mcp]` (written for 2.68.0). What has no
counterpart there (a page, a diff, undo; a job that a command line finds) is left out and said beside the number.
"""

import asyncio
import dataclasses
import sys
from pathlib import Path

from pydantic_ai import Agent, ModelMessagesTypeAdapter, RunContext
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

NUMBER, ADDRESS = sys.argv[1], sys.argv[2]
MODEL = OpenAIChatModel("any", provider=OpenAIProvider(base_url=ADDRESS, api_key="none"))


def program_1() -> None:
    """An own tool."""
    stock = {"tea": 12, "salt": 0}
    agent = Agent(MODEL)

    @agent.tool_plain
    def in_stock(article: str) -> int:
        """How many of an article are in stock.

        Args:
            article: its name, in lower case
        """
        return stock.get(article, 0)

    print(agent.run_sync("How much tea is there?").output)


def program_2() -> None:
    """A job of another package, in one file: an import, and nothing that asks before a call but what one writes."""
    agent = Agent(MODEL, instructions="You keep the shelves of a shop full. Order nothing that you were not asked for.")

    @agent.tool_plain
    def order(article: str, count: int = 1) -> str:
        """Order an article from the wholesaler."""
        print("asked:", article, count)
        return f"{count} of {article} ordered"

    print(agent.run_sync("Order two packets of salt.").all_messages()[-2].parts[0].content)


def program_3() -> None:
    """An answer that is a value."""

    @dataclasses.dataclass
    class Bug:
        file: str
        line: int
        cause: str

    bug = Agent(MODEL, output_type=Bug).run_sync("Where is the bug in the calculator?").output
    print(f"{bug.file}:{bug.line}")


def program_4() -> None:
    """A conversation; kept by hand."""
    agent = Agent(MODEL)
    first = agent.run_sync("Remember the number 12.")
    second = agent.run_sync("Which number?", message_history=first.all_messages())
    kept = ModelMessagesTypeAdapter.dump_json(second.all_messages())
    print(second.output, len(ModelMessagesTypeAdapter.validate_json(kept)))


def program_5() -> None:
    """An agent that asks another; its tools have to be written first."""
    reader = Agent(MODEL)

    @reader.tool_plain
    def get_file_content(file_path: str) -> str:
        """Read a file."""
        return Path(file_path).read_text(encoding="utf-8")

    lead = Agent(MODEL, instructions="You answer by asking others.")

    @lead.tool
    async def ask_reader(context: RunContext, task: str) -> str:
        """Ask somebody who reads the program."""
        return (await reader.run(task, usage=context.usage)).output

    result = lead.run_sync("What does main.py do?")
    print(result.output, result.usage.output_tokens)


def program_6() -> None:
    """Stop it."""

    async def stopped() -> None:
        task = asyncio.create_task(Agent(MODEL).run("fix the bug"))
        await asyncio.sleep(0.1)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            print("interrupted")

    asyncio.run(stopped())


def program_7() -> None:
    """Several at once."""

    async def both() -> None:
        agent = Agent(MODEL)
        results = await asyncio.gather(agent.run("read main.py"), agent.run("read README.md"))
        print([result.output for result in results])

    asyncio.run(both())


def program_8() -> None:
    """Another wire."""
    google = GoogleProvider(api_key="...", base_url=ADDRESS.removesuffix("/v1"))
    for model in (MODEL, GoogleModel("gemini-2.5-flash", provider=google)):
        print(model.system, Agent(model).run_sync("Say hello.").output)


def program_9() -> None:
    """An MCP server's tools."""
    from pydantic_ai.mcp import MCPToolset

    async def asked() -> None:
        fleet = MCPToolset("samples/operator/fleet.py")
        print((await Agent(MODEL, toolsets=[fleet]).run("which services are degraded?")).output)

    asyncio.run(asked())


def program_10() -> None:
    """Watch it; nothing is kept, shown or taken back."""

    async def watched() -> None:
        async with Agent(MODEL).iter("fix the bug") as run:
            async for node in run:
                print(type(node).__name__)

    asyncio.run(watched())


if __name__ == "__main__":
    globals()[f"program_{NUMBER}"]()
