import inspect


def described(annotation):
    match annotation:
        case type(__name__="str"):
            return {"type": "string"}
        case type(__name__="int"):
            return {"type": "integer"}
        case type(__name__="bool"):
            return {"type": "boolean"}
        case _:
            return {"type": "array", "items": described(annotation.__args__[0])}


def schema(function):
    """Beginner's way: build it piece by piece."""
    my_schema = {}
    my_schema["name"] = function.__name__
    my_schema["description"] = function.__doc__
    my_properties = {}
    my_required = []
    sig = inspect.signature(function)
    names = list(sig.parameters)
    del names[0]
    for name in names:
        parameter = sig.parameters[name]
        my_properties[name] = described(parameter.annotation)
        if parameter.default == inspect.Parameter.empty:
            my_required.append(name)
    my_schema["parameters"] = {}
    my_schema["parameters"]["type"] = "object"
    my_schema["parameters"]["properties"] = my_properties
    my_schema["parameters"]["required"] = my_required
    return my_schema
