"""As OpenAI's own pages write it: a content is a list of parts."""


def start(system, task):
    return [
        {"role": "system", "content": [{"type": "text", "text": system}]},
        {"role": "user", "content": [{"type": "text", "text": task}]},
    ]
