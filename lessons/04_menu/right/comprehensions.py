from inspect import signature

TYPES = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    list[str]: {"type": "array", "items": {"type": "string"}},
}


def schema(f):
    _, *ps = signature(f).parameters.values()
    return dict(
        name=f.__name__,
        description=f.__doc__,
        parameters=dict(
            type="object",
            properties={p.name: dict(TYPES[p.annotation]) for p in ps},
            required=[p.name for p in ps if p.default is p.empty],
        ),
    )
