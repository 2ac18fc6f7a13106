"""litellm: a loop of one's own around `completion`, with a shell as the only tool."""

import json

import litellm
from hands import ADDRESS, PROMPT, run_command

SHELL = {
    "type": "function",
    "function": {
        "name": "bash",
        "description": "Run a bash command",
        "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    },
}
messages = [{"role": "user", "content": PROMPT}]
for _ in range(30):
    reply = litellm.completion(
        model="openai/glassbox-offline", api_base=f"{ADDRESS}/v1", api_key="none", messages=messages, tools=[SHELL]
    )
    message = reply.choices[0].message
    messages.append(message.model_dump())
    if not message.tool_calls:
        print(message.content)
        break
    for call in message.tool_calls:
        result = run_command(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
