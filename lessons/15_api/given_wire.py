"""Given in lesson 15: one request over HTTP. It follows no redirect: nobody has looked where one leads."""

import http.client
from urllib.parse import urlsplit

LARGEST = 2**20  # bytes of an answer


def send(method, address, headers):
    """Return (status, text) of one answer. Raises OSError when none comes."""
    parts = urlsplit(address)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=20)
    try:
        connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read(LARGEST).decode("utf-8", errors="replace")
    except http.client.HTTPException as error:
        raise OSError(f"an answer that cannot be read ({type(error).__name__})") from error
    finally:
        connection.close()
