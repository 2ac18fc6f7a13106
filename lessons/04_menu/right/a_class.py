import inspect

TYPES = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    list[str]: {"type": "array", "items": {"type": "string"}},
}


class Schema(dict):
    """A dictionary that fills itself."""

    def __init__(self, function):
        super().__init__()
        self["name"] = function.__name__
        self["description"] = function.__doc__
        self["parameters"] = {"type": "object", "properties": {}, "required": []}
        parameters = list(inspect.signature(function).parameters.values())
        for parameter in parameters[1:]:
            self.add(parameter)

    def add(self, parameter):
        self["parameters"]["properties"][parameter.name] = TYPES[parameter.annotation]
        if parameter.default is inspect.Parameter.empty:
            self["parameters"]["required"].append(parameter.name)


def schema(function):
    return Schema(function)
