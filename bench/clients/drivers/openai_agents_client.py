"""openai-agents: an Agent with a shell, over chat completions."""

from agents import Agent, OpenAIProvider, RunConfig, Runner, function_tool, set_tracing_disabled
from hands import ADDRESS, PROMPT, run_command

set_tracing_disabled(True)
agent = Agent(
    name="Coder",
    instructions="You repair programs in the current directory.",
    model="glassbox-offline",
    tools=[function_tool(run_command)],
)
provider = OpenAIProvider(base_url=f"{ADDRESS}/v1", api_key="none", use_responses=False)
print(Runner.run_sync(agent, PROMPT, max_turns=30, run_config=RunConfig(model_provider=provider)).final_output)
