"""The text of a file: UTF-8, with the byte-order mark and the line ends that the file has."""

from sandbox.files.refusal import Refusal, shown

_BOM = b"\xef\xbb\xbf"


def decoded(path: str, data: bytes) -> str:
    try:
        text = data.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        raise _not_text(path) from error
    if "\0" in text:
        raise _not_text(path)
    return text.replace("\r\n", "\n") if _uses_crlf(data) else text


def encoded(path: str, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        lone = shown(text[error.start])
        sentence = f'Cannot write to "{shown(path)}" as the text holds {lone}, which UTF-8 cannot hold'
        raise Refusal(sentence, "not_text") from error


def in_the_form_of(old: bytes, data: bytes) -> bytes:
    """Text with the line ends and the byte-order mark that a file has."""
    if _uses_crlf(old):
        data = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return _BOM + data if old.startswith(_BOM) else data


def _uses_crlf(data: bytes) -> bool:
    return data.count(b"\r\n") == data.count(b"\n") == data.count(b"\r") > 0


def _not_text(path: str) -> Refusal:
    return Refusal(f'Cannot read "{shown(path)}" as it is not UTF-8 text', "not_text")
