"""smolagents: its ToolCallingAgent with two tools."""

import workload
from smolagents import OpenAIModel, ToolCallingAgent, tool

model = OpenAIModel("zero-latency", api_base=f"{workload.ADDRESS}/v1", api_key="none")
agent = ToolCallingAgent([tool(workload.get_file_content), tool(workload.wait)], model, verbosity_level=0)
agent.run(workload.PROMPT, max_steps=1000)
