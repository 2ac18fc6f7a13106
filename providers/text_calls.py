"""Tool calls that a model wrote into its text, because its prompt template or its server does not fit it.

Each family of models has a format of its own; tests/text_call_formats.py has a sample of each and says where
it is known from. A call is read whole or not at all: nothing is repaired, and nothing is taken from half of one.
"""

from __future__ import annotations

import ast
import itertools
import json
import re
import warnings
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, NamedTuple

from call_functions import refuse_constant, refuse_duplicates
from functions.tool import Catalogue

TextCall = tuple[str, dict[str, Any]]  # name, arguments

LARGEST_PYTHON = 100_000  # characters of name(arg="...") that are given to Python's parser
LARGEST_NUMBER = 1e300  # Python's whole numbers have no end, and others cannot read them
NEAR = 300  # characters after the beginning of a call in which its name stands
MOST_MISREAD = 100  # times that Python's parser finds no call in one text
TRIES = 20  # at places where a call may begin; a text that looks like many calls and holds none is no call

THOUGHT = re.compile(
    r"(?is)<(?:\w+:)?think(?:ing)?>.*?(?:</(?:\w+:)?think(?:ing)?>|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z)"
    r"|(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>.*?(?:<\|end\|>|(?=<\|start\|>|<\|channel\|>)|\Z)",
)
# What only a call begins with.
OPENING = re.compile(
    r"<(?:\w+:)?(?:tool_calls?|function_calls?|TOOLCALL|tools)>|<\|?(?:tool_calls?(?:_section)?(?:_begin|_start)?|"
    r"python_tag|python_start|START_ACTION|action_start)\|>|<[|｜](?:DSML[|｜])?(?:tool▁calls?▁begin|function_calls)[|｜]?>"
    r"|\[TOOL_(?:CALLS|REQUEST)\]|functools(?=\[)|(?=<function=)|(?=<invoke name=)"
    r"|(?:<\|start\|>assistant)?(?:<\|channel\|>commentary)? to=(?=functions\.)"
)
# Where one may begin; it is one where it is the name of a tool, with arguments.
PERHAPS = re.compile(
    r"```(?:json|tool_calls?|tool_code|python|xml)?[ \t]*\n\s*"
    r"|(?<![`\w])(?=[{\[]\s*(?:\{\s*)?\"(?:name|type|id|function|tool|tool_name|tool_calls|function_call)\"\s*:)"
    r"|^(?:>>>|Action:)?[ \t]*(?=[\w.-]+[ \t]*\n(?:Action Input:)?\s*\{)|^[ \t]*(?=\[?\w+\()",
    re.MULTILINE,
)
BETWEEN = re.compile(  # what stands around the parts of a call and means nothing by itself
    r"(?:[\s,;]|<[|｜][^<>|｜\n]{1,40}[|｜]?>|</(?:[\w:]+|[|｜]DSML[|｜]\w+)>|<(?:\w+:)?(?:tool_calls?|function_calls?)>"
    r"|\[END_TOOL_REQUEST\]|\[TOOL_CALLS\]|function(?=<｜tool▁sep｜>)|```(?:json)?)+"
)
NAMED = re.compile(
    r"(?:functions?[.:])?([\w.-]+?)(?::\d+)?(?:\s|<[|｜][^<>|｜\n]{1,40}[|｜]>|commentary|json|```|\[ARGS\]|\[CALL_ID\]\w+"
    r"|Action Input:)*(?=\{)"
)
TAGGED = re.compile(r"<(?:[|｜]DSML[|｜])?(?:function=|invoke name=)\"?([\w.-]+)\"?>\s*")
TAGS_END = re.compile(r"\s*</(?:[|｜]DSML[|｜])?(?:function|invoke)>")
PARAMETER = re.compile(r"\s*<(?:[|｜]DSML[|｜])?parameter(?:=| name=)\"?([\w-]+)\"?[^>\n]*>\n?")
PARAMETER_END = re.compile(r"</(?:[|｜]DSML[|｜])?parameter>|(?=<parameter=|</function>)")
KEYED = re.compile(r"([\w.-]+)\s*(?=<arg_key>|</tool_call>)")
KEY = re.compile(r"\s*<arg_key>([\w-]+)</arg_key>\s*<arg_value>")
KEY_END = re.compile(r"</arg_value>")
KEYS_END = re.compile(r"(?=\s*</tool_call>)")
PYTHON_ENDS = re.compile(r"```|<[|｜/]|\Z")
MARKS = re.compile(
    r"<\|(?:start\|>assistant|channel\|>(?:final|commentary)|message\|>|(?:end|return|eo[mt]_id|im_end)\|>)"
)
EMPTY_BLOCK = re.compile(r"```\w*\s*(?:```|\Z)")  # a call stood in it


BEGINNINGS = ("{", "[{", "<function=", "<invoke name=")
NAMES = ("name", "tool_name", "tool", "function")
ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input")


class Found(NamedTuple):
    """The text without the calls that it holds, the calls in order, and whether it holds one that cannot be read: then
    there are no calls, for what was meant beside it is not known."""

    said: str
    calls: list[TextCall]
    unread: bool = False


class Unreadable(ValueError):
    """A call stands here, and it cannot be read whole."""


def spoken(text: str) -> str:
    """Return a text without its thoughts. Some templates open the block themselves, so that only its end arrives."""
    return THOUGHT.sub("", text).rpartition("</think>")[2].strip()


def text_calls(text: str, catalogue: Catalogue) -> Found:
    """Find the calls in a text, outside of thoughts."""
    text = spoken(text)
    reader = Reader(text, catalogue)
    try:
        spans = list(reader.sure()) or list(reader.perhaps())
    except Unreadable as problem:
        return Found(tidy(text[: problem.args[0]]), [], unread=True)
    pieces, at = [], 0
    for begin, end, _ in spans:
        pieces.append(f"{text[at:begin].rstrip()}\n")
        at = end
    said = EMPTY_BLOCK.sub("", "".join(pieces) + text[at:].lstrip()) if spans else text
    return Found(tidy(said), [call for *_, calls in spans for call in calls])


def tidy(text: str) -> str:
    """A text without the marks that a template puts around what is said."""
    return MARKS.sub("", text).strip()


class Reader:
    """Reads the calls of one text. Positions are counted in its characters."""

    def __init__(self, text: str, catalogue: Catalogue) -> None:
        self.text, self.catalogue = text, catalogue
        self._json = json.JSONDecoder(parse_constant=refuse_constant, object_pairs_hook=refuse_duplicates)
        # What was looked at for one call is not looked at again for the next: a text may begin thousands.
        self._found: dict[re.Pattern[str], list[re.Match[str]]] = {}
        self._in_vain: set[tuple[re.Pattern[str], int]] = set()
        self._misread = 0

    def sure(self) -> Iterator[tuple[int, int, list[TextCall]]]:
        """Yield begin, end and calls of each stretch that only a call begins with. Raises Unreadable."""
        at = 0
        while match := OPENING.search(self.text, at):
            calls, at = [], match.end()
            while found := self._call(at):
                more, at = found
                calls += more
            if calls:
                yield match.start(), self._past(at), calls
            if self._begins(at) or not calls and self._names_one(at):
                raise Unreadable(match.start())
            at = max(self._past(at), match.start() + 1)

    def perhaps(self) -> Iterator[tuple[int, int, list[TextCall]]]:
        """The same of each stretch that may be a call. Raises Unreadable where it begins with a tool's name."""
        at = 0
        for _ in range(TRIES):
            if not (match := PERHAPS.search(self.text, at)):
                return
            at = match.end()
            if found := self._call(at, sure=False):
                at = self._past(found[1])
                yield match.start(), at, found[0]
            elif self.text.startswith(("{", "["), at) and self._names_one(at):
                raise Unreadable(match.start())
            at = max(at, match.start() + 1)

    def _past(self, at: int) -> int:
        """The position behind what means nothing by itself."""
        return between.end() if (between := BETWEEN.match(self.text, at)) else at

    def _begins(self, at: int) -> bool:
        """Whether a call that cannot be read begins here, behind a mark of one, and not a text about calls."""
        return self.text.startswith(BEGINNINGS, self._past(at)) and not self.text.endswith("`", 0, at)

    def _names_one(self, at: int) -> bool:
        """Whether what cannot be read names a tool as a call does."""
        near = self.text[(begin := self._past(at)) : begin + NEAR]
        named = re.match(r"\[?(?:functions[.:])?([\w.-]+)", near)
        if near.startswith(("{", "[{")):
            named = re.search(r"\"(?:name|tool|tool_name)\"\s*:\s*\"([\w.-]+)", near)
        return named is not None and self._name(named[1]) in self.catalogue

    def _call(self, at: int, *, sure: bool = True) -> tuple[list[TextCall], int] | None:
        """Read what stands at a position: its calls and where it ends, None where no whole call stands there."""
        at = self._past(at) if sure else at
        for read in (self._tags, self._keys, self._named, self._object, self._python):
            try:
                if (found := read(at)) and found[0] and (sure or all(name in self.catalogue for name, _ in found[0])):
                    return found
            except (ValueError, RecursionError, MemoryError, SyntaxError):
                continue
        return None

    def _tags(self, at: int) -> tuple[list[TextCall], int] | None:
        """`<function=name><parameter=key>value</parameter></function>` or `<invoke name=`, or JSON between the tags."""
        if not (head := TAGGED.match(self.text, at)):
            return None
        arguments: dict[str, Any] = {}
        if self.text.startswith("{", end := head.end()):
            arguments, end = self._json.raw_decode(self.text, end)
        if not (read := self._pairs(end, PARAMETER, PARAMETER_END, TAGS_END)):
            return None
        arguments |= {key: self._typed(head[1], key, value.removesuffix("\n")) for key, value in read[0]}
        return [(self._name(head[1]), arguments)], read[1]

    def _keys(self, at: int) -> tuple[list[TextCall], int] | None:
        """`name<arg_key>key</arg_key><arg_value>value</arg_value>` up to the end of its tag."""
        if not (head := KEYED.match(self.text, at)):
            return None
        if not (read := self._pairs(head.end(), KEY, KEY_END, KEYS_END)):
            return None
        return [(self._name(head[1]), {key: self._typed(head[1], key, value) for key, value in read[0]})], read[1]

    def _pairs(
        self, at: int, key: re.Pattern[str], close: re.Pattern[str], last: re.Pattern[str]
    ) -> tuple[list[tuple[str, str]], int] | None:
        """The keys and values that stand here, each up to the next `close`, and where what is `last` ends."""
        spans, passed = [], {(last, at)}
        while (last, at) not in self._in_vain and (opened := key.match(self.text, at)):
            if not (closed := self._next(close, opened.end())):
                break
            spans.append((opened[1], opened.end(), closed.start()))
            passed.add((last, at := closed.end()))
        if not (ended := last.match(self.text, at)):
            self._in_vain |= passed
            return None
        return [(key, self.text[begin:end]) for key, begin, end in spans], ended.end()

    def _next(self, pattern: re.Pattern[str], at: int) -> re.Match[str] | None:
        """What the pattern finds first from here on."""
        if pattern not in self._found:
            self._found[pattern] = list(pattern.finditer(self.text))
        found = self._found[pattern]
        place = bisect_left(found, at, key=re.Match.start)
        return found[place] if place < len(found) else None

    def _named(self, at: int) -> tuple[list[TextCall], int] | None:
        """`name`, a mark of some family, then the arguments as JSON."""
        if not (head := NAMED.match(self.text, at, at + NEAR)):
            return None
        arguments, end = self._json.raw_decode(self.text, head.end())
        return [(self._name(head[1]), arguments)], end

    def _object(self, at: int) -> tuple[list[TextCall], int] | None:
        """One JSON object with a name and arguments, or a list of such."""
        if not self.text.startswith(("{", "["), at):
            return None
        value, end = self._json.raw_decode(self.text, at)
        return [call for each in (value if isinstance(value, list) else [value]) for call in self._in(each)], end

    def _in(self, value: Any) -> Iterator[TextCall]:
        """The call that an object is. Raises ValueError for one that is none."""
        inner = value.get("tool_calls") if isinstance(value, dict) else None
        if isinstance(inner, list):
            yield from (call for each in inner for call in self._in(each))
            return
        if isinstance(value, dict):
            value = next(
                (value[key] for key in ("function", "function_call") if isinstance(value.get(key), dict)), value
            )
            name = next((value[key] for key in NAMES if isinstance(value.get(key), str)), "")
            arguments = next((value[key] for key in ARGUMENTS if key in value), None)
            arguments = self._json.decode(arguments) if isinstance(arguments, str) else arguments
            if name and (isinstance(arguments, dict) or arguments is None and "name" in value and len(value) == 1):
                yield self._name(name), arguments or {}
                return
        raise ValueError("no call")

    def _python(self, at: int) -> tuple[list[TextCall], int] | None:
        """`name(arg="...")`, one or several or a list of them, and nothing else up to the end."""
        head = re.compile(r"\[?\s*(?:print\()?(\w+)\(").match(self.text, at)
        if not head or head[1] not in self.catalogue or self._misread > MOST_MISREAD:
            return None
        for tail in itertools.islice(PYTHON_ENDS.finditer(self.text, at), TRIES):
            if tail.start() - at > LARGEST_PYTHON:
                break
            try:
                return self._python_calls(self.text[at : tail.start()].strip()), tail.start()
            except SyntaxError:  # a mark may stand within a text that is an argument
                self._misread += 1
        return None

    def _python_calls(self, source: str) -> list[TextCall]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a backslash that Python would write twice
            values: list[ast.expr | None] = [getattr(statement, "value", None) for statement in ast.parse(source).body]
        calls = values[0].elts if len(values) == 1 and isinstance(values[0], ast.List) else values
        return [self._python_call(call) for call in calls]

    def _python_call(self, call: Any) -> TextCall:
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise ValueError("no call")
        if call.func.id == "print" and len(call.args) == 1:  # how Gemma was taught to write one
            return self._python_call(call.args[0])
        names = list(self._properties(call.func.id))
        given = [*zip(names, call.args, strict=False)]
        given += [(each.arg, each.value) for each in call.keywords if each.arg is not None]
        whole = len(given) == len(call.args) + len(call.keywords)  # none beyond the names, no `**more`
        if not whole or len({name for name, _ in given}) < len(given):
            raise ValueError("arguments that are not one each")
        return call.func.id, {name: plain(ast.literal_eval(value)) for name, value in given}

    def _properties(self, name: str) -> dict[str, Any]:
        """The parameters of a tool, none for one that does not exist."""
        return self.catalogue[name].parameters.get("properties") or {} if name in self.catalogue else {}

    def _typed(self, name: str, key: str, value: str) -> Any:
        """A value between tags is text, unless the tool's schema wants something else."""
        if self._properties(self._name(name)).get(key, {}).get("type", "string") == "string":
            return value
        try:
            return self._json.decode(value)
        except (ValueError, RecursionError):
            return value

    def _name(self, name: str) -> str:
        """A tool's name without the room that some models put before it."""
        return short if (short := name.removeprefix("functions.")) in self.catalogue else name


def plain(value: Any) -> Any:
    """Return a value that JSON can spell. Raises ValueError for Python's other ones, and for a number without end."""
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    if value is None or isinstance(value, str | bool) or isinstance(value, int | float) and abs(value) < LARGEST_NUMBER:
        return value
    raise ValueError("not a value of JSON")
