"""Which targets must be made, and in which order."""


class BuildCycle(Exception):
    pass


def build_order(targets, goal):
    """Everything that the goal needs and the goal itself, needed things first; sources are left out."""
    order = []
    visit(targets, goal, order, [])
    return order


def visit(targets, name, order, path):
    if name in path:
        raise BuildCycle(" -> ".join([*path, name]))
    if targets.is_source(name) or name in order:
        return
    for source in targets.needs[name]:
        visit(targets, source, order, [*path, name])
        order.append(name)


def stale(targets, changed):
    """Targets that a change of some files makes out of date."""
    dirty = set()
    waiting = list(changed)
    while waiting:
        name = waiting.pop()
        for target in targets.used_by(name):
            if target not in dirty:
                dirty.add(target)
                waiting.append(target)
    return dirty


def rebuild(targets, goal, changed):
    """The part of the build order that a change makes necessary."""
    dirty = stale(targets, changed)
    return [name for name in build_order(targets, goal) if name in dirty]
