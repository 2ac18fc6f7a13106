import inspect
import typing


def schema(function):
    properties, required = {}, []
    hints = typing.get_type_hints(function)
    for number, (name, parameter) in enumerate(inspect.signature(function).parameters.items()):
        if number == 0:
            continue
        if typing.get_origin(hints[name]) is list:
            properties[name] = {"type": "array", "items": {"type": "string"}}
        elif hints[name] is bool:
            properties[name] = {"type": "boolean"}
        elif hints[name] is int:
            properties[name] = {"type": "integer"}
        else:
            properties[name] = {"type": "string"}
        if parameter.default is parameter.empty:
            required.append(name)
    return {
        "name": function.__name__,
        "description": inspect.getdoc(function),
        "parameters": {"type": "object", "properties": properties, "required": required},
    }
