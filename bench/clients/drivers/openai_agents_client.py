"""openai-agents: an Agent with a shell, over chat completions."""

from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from hands import ADDRESS, PROMPT, run_command
from openai import AsyncOpenAI

set_tracing_disabled(True)
client = AsyncOpenAI(base_url=f"{ADDRESS}/v1", api_key="none")
agent = Agent(
    name="Coder",
    instructions="You repair programs in the current directory.",
    model=OpenAIChatCompletionsModel(model="glassbox-offline", openai_client=client),
    tools=[function_tool(run_command)],
)
print(Runner.run_sync(agent, PROMPT, max_turns=30).final_output)
