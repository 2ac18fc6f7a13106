"""The floor on the Gemini wire: the shortest loop that one writes with the SDK, as its documentation shows it."""

from workload import ADDRESS, FUNCTIONS, PARAMETERS, PROMPT


def main() -> None:
    from google.genai import Client, types

    declarations = [
        {"name": name, "description": f.__doc__, "parameters_json_schema": PARAMETERS[name]}
        for name, f in FUNCTIONS.items()
    ]
    config = types.GenerateContentConfig(
        tools=[{"function_declarations": declarations}],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    client = Client(api_key="none", http_options=types.HttpOptions(base_url=ADDRESS, api_version="v1beta"))
    contents = [types.Content(role="user", parts=[types.Part(text=PROMPT)])]
    while True:
        reply = client.models.generate_content(model="zero-latency", contents=contents, config=config)
        contents.append(reply.candidates[0].content)
        if not reply.function_calls:
            return
        results = [
            types.Part.from_function_response(name=call.name, response={"result": FUNCTIONS[call.name](**call.args)})
            for call in reply.function_calls
        ]
        contents.append(types.Content(role="user", parts=results))


main()
