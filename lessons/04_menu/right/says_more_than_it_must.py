import inspect

TYPES = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    list[str]: {"type": "array", "items": {"type": "string"}},
}


def schema(function):
    """With a description for each parameter, its default, and no further property allowed."""
    properties, required = {}, []
    for each in list(inspect.signature(function).parameters.values())[1:]:
        properties[each.name] = {**TYPES[each.annotation], "description": f"{each.name} of {function.__name__}"}
        if each.default is each.empty:
            required.append(each.name)
        else:
            properties[each.name]["default"] = each.default
    parameters = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"name": function.__name__, "description": function.__doc__, "parameters": parameters}
