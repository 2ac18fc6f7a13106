"""A coding agent on the Gemini wire without anything of ours: the shortest loop that one writes with the SDK."""

from coding import ASKED, FUNCTIONS, SYSTEM, Report, parameters


def main() -> None:
    from google.genai import Client, types

    declarations = [
        {"name": name, "description": f.__doc__, "parameters_json_schema": parameters(name)}
        for name, f in FUNCTIONS.items()
    ]
    config = types.GenerateContentConfig(
        system_instruction=SYSTEM,
        tools=[{"function_declarations": declarations}],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    options = types.HttpOptions(base_url=ASKED["address"], api_version="v1beta") if ASKED["address"] else None
    client = Client(api_key=ASKED["key"], http_options=options)
    contents = [types.Content(role="user", parts=[types.Part(text=ASKED["prompt"])])]
    report, text = Report(), ""
    while report.more():
        reply = client.models.generate_content(model=ASKED["model"], contents=contents, config=config)
        used = reply.usage_metadata
        report.turn(used and used.prompt_token_count, used and used.candidates_token_count)
        contents.append(reply.candidates[0].content)
        text = reply.text or text
        if not reply.function_calls:
            return report.end(reply.text or "")
        results = [
            types.Part.from_function_response(name=call.name, response={"result": report.call(call.name, call.args)})
            for call in reply.function_calls
        ]
        contents.append(types.Content(role="user", parts=results))
    return report.end(text, "max_iters")


main()
