"""A coding agent on the OpenAI wire without anything of ours: the shortest loop that one writes with the SDK."""

from coding import ASKED, FUNCTIONS, SYSTEM, Report, parameters


def main() -> None:
    from openai import OpenAI

    tools = [
        {"type": "function", "function": {"name": name, "description": f.__doc__, "parameters": parameters(name)}}
        for name, f in FUNCTIONS.items()
    ]
    client = OpenAI(base_url=ASKED["address"], api_key=ASKED["key"] or "none", timeout=600, max_retries=0)
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": ASKED["prompt"]}]
    report, text = Report(), ""
    while report.more():
        asked = {"model": ASKED["model"], "messages": messages, "tools": tools, "temperature": ASKED["temperature"]}
        reply = client.chat.completions.create(**asked)
        message = reply.choices[0].message
        report.turn(reply.usage and reply.usage.prompt_tokens, reply.usage and reply.usage.completion_tokens)
        messages.append(message.model_dump(exclude_none=True))
        text = message.content or text
        if not message.tool_calls:
            return report.end(message.content or "")
        for call in message.tool_calls:
            content = report.call(call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
    return report.end(text, "max_iters")


main()
