def start(system, task):
    return [{"role": role, "content": content} for role, content in (("system", system), ("user", task))]
