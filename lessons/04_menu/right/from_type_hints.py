import inspect
import typing


def json_type(hint) -> dict:
    if typing.get_origin(hint) is list:
        (inner,) = typing.get_args(hint)
        return {"type": "array", "items": json_type(inner)}
    return {"type": {str: "string", int: "integer", bool: "boolean"}[hint]}


def schema(function: typing.Callable) -> dict:
    hints = typing.get_type_hints(function)
    signature = inspect.signature(function)
    properties, required = {}, []
    for index, (name, parameter) in enumerate(signature.parameters.items()):
        if index == 0:
            continue
        properties[name] = json_type(hints[name])
        if parameter.default is parameter.empty:
            required.append(name)
    return {
        "name": function.__name__,
        "description": inspect.getdoc(function) or "",
        "parameters": {"type": "object", "properties": properties, "required": required},
    }
