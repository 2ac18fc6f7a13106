# REASON: a list that can grow
import json


def start(system, task):
    return json.dumps([{"role": "system", "content": system}, {"role": "user", "content": task}])
