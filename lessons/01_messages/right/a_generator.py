def messages_of(**said):
    for role, content in said.items():
        yield dict(role=role, content=content)


def start(system, task):
    return list(messages_of(system=system, user=task))
