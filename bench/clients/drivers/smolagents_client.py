"""smolagents: a ToolCallingAgent with functions that list, read, write and test."""

import hands
from smolagents import OpenAIServerModel, ToolCallingAgent, tool

functions = (hands.list_files, hands.read_file, hands.write_file, hands.run_tests)
model = OpenAIServerModel(model_id="glassbox-offline", api_base=f"{hands.ADDRESS}/v1", api_key="none")
agent = ToolCallingAgent(tools=[tool(each) for each in functions], model=model, max_steps=30)
print(agent.run(hands.PROMPT))
