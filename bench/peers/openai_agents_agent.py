"""openai-agents: its Agent over chat completions with two tools, without the tracing that would go to a server."""

import workload
from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled


def main() -> None:
    from openai import AsyncOpenAI

    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=f"{workload.ADDRESS}/v1", api_key="none")
    tools = [function_tool(workload.get_file_content), function_tool(workload.wait)]
    agent = Agent("bench", model=OpenAIChatCompletionsModel("zero-latency", client), tools=tools)
    Runner.run_sync(agent, workload.PROMPT, max_turns=1000)


main()
