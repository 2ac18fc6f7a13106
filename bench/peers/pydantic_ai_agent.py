"""pydantic-ai: its Agent over chat completions with two tools."""

import workload
from pydantic_ai import Agent, UsageLimits
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

model = OpenAIChatModel("zero-latency", provider=OpenAIProvider(base_url=f"{workload.ADDRESS}/v1", api_key="none"))
agent = Agent(model, tools=[workload.get_file_content, workload.wait])
agent.run_sync(workload.PROMPT, usage_limits=UsageLimits(request_limit=1000))
