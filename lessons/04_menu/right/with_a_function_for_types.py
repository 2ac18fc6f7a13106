import inspect

NAMES = {"str": "string", "int": "integer", "bool": "boolean"}


def kind(annotation):
    if getattr(annotation, "__origin__", None) is list:
        return {"type": "array", "items": kind(annotation.__args__[0])}
    return {"type": NAMES[annotation.__name__]}


def schema(function):
    signature = inspect.signature(function)
    _, *shown = signature.parameters
    properties = {name: kind(signature.parameters[name].annotation) for name in shown}
    optional = {name for name in shown if signature.parameters[name].default is not inspect._empty}
    parameters = dict(type="object", properties=properties, required=[n for n in shown if n not in optional])
    return dict(name=function.__name__, description=inspect.cleandoc(function.__doc__), parameters=parameters)
