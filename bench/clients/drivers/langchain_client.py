"""langchain: create_agent with functions that list, read and replace; nothing that runs anything."""

from hands import ADDRESS, PROMPT, list_files, read_file, replace_in_file
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI

model = ChatOpenAI(model="glassbox-offline", base_url=f"{ADDRESS}/v1", api_key="none")
agent = create_agent(model, tools=[list_files, read_file, replace_in_file], system_prompt="You repair programs.")
result = agent.invoke({"messages": [{"role": "user", "content": PROMPT}]}, {"recursion_limit": 60})
print(result["messages"][-1].content)
