# REASON: begins anew
from functools import cache


@cache
def start(system, task):
    return [{"role": "system", "content": system}, {"role": "user", "content": task}]
