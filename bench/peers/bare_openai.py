"""The floor on the OpenAI wire: the shortest loop that one writes with the SDK, as its documentation shows it."""

import json

from workload import ADDRESS, FUNCTIONS, PARAMETERS, PROMPT


def main() -> None:
    from openai import OpenAI

    tools = [
        {"type": "function", "function": {"name": name, "description": f.__doc__, "parameters": PARAMETERS[name]}}
        for name, f in FUNCTIONS.items()
    ]
    client = OpenAI(base_url=f"{ADDRESS}/v1", api_key="none")
    messages = [{"role": "user", "content": PROMPT}]
    while True:
        reply = client.chat.completions.create(model="zero-latency", messages=messages, tools=tools)
        message = reply.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return
        for call in message.tool_calls:
            content = FUNCTIONS[call.function.name](**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})


main()
