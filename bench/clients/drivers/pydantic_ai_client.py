"""pydantic-ai: an Agent with four functions as its tools."""

from hands import ADDRESS, PROMPT, list_files, read_file, run_tests, write_file
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

model = OpenAIChatModel("glassbox-offline", provider=OpenAIProvider(base_url=f"{ADDRESS}/v1", api_key="none"))
agent = Agent(model, tools=[list_files, read_file, write_file, run_tests])
print(agent.run_sync(PROMPT).output)
