def start(system, task):
    if not isinstance(system, str) or not isinstance(task, str):
        raise TypeError("system and task must be text")
    conversation = list()
    system_message = {"role": "system", "content": system}
    user_message = {"role": "user", "content": task}
    conversation = conversation + [system_message]
    conversation = conversation + [user_message]
    return conversation
