import json

import wire

BASE, KEY = "http://127.0.0.1:42002", ""


def query_api(method, path, auth=True):
    match method.upper(), path.split("?")[0].split("/"):
        case (("GET" | "HEAD" | "OPTIONS"), ["", *parts]) if (
            parts and ".." not in parts and (parts[0] or parts == [""])
        ):
            pass
        case (("GET" | "HEAD" | "OPTIONS"), _):
            return "Error: a path such as /items/, please"
        case other, _:
            return f"Error: {other} is not sent; GET, HEAD and OPTIONS are"
    try:
        status, text = wire.send(
            method.upper(), BASE + path, headers={"Authorization": f"Bearer {KEY}"} if auth and KEY else None
        )
    except OSError as error:
        return f"Error: {type(error).__name__}"
    body = text if not KEY else "[key]".join(text.split(KEY))
    said = dict(body=body[:10_000], status_code=status)
    if len(body) > 10_000:
        said |= {"note": f"{len(body)} characters, of which these are the first"}
    return json.dumps(said)
