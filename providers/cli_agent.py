"""Another agent as the agent: LLM_PROVIDER=cli runs an installed command-line agent in the working directory.

Its loop and its tools are its own; ours is the record. What it did is read from the JSON lines that it prints (the
shape that Qwen Code and Claude Code share), and what it changed from the files, so that undo, --diff and the page work.
It is not held in by the sandbox: it runs with the person's rights, and may run commands only where they allow it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from agent.contracts import AgentResult, Reply, ToolCall, ToolResult
from agent.deadline import TimeUp
from agent.errors import ProviderError
from agent.gates import objection
from agent.run import Run
from agent.trajectory import usage_of
from config import ConfigError, Settings
from functions import ToolError
from functions.tool import Tool
from reach.handed_on import plain_environment

LARGEST_LINE = 32 * 2**20  # bytes of one line that it prints
OUTSIDE = "{name} runs outside this program's sandbox, with your own rights. {may}; what it changes here can be undone."
EDITS, RUNS = ("edit", "write"), ("shell", "bash")  # what stands in the names of such tools of other agents
PATH = "file_path"  # the parameter of those that edit


def run_agent(prompt: str, settings: Settings, run: Run) -> AgentResult:
    """Start the agent, follow what it prints, and return what came of it, as the loops of the other providers do."""
    command = command_of(settings, run, prompt)
    name = Path(command[0]).name
    run.started(prompt, name)
    commands = " and run commands" if run.root.allow_unconfined else ""
    may = f"It may edit files here{commands}" if ours_to_say(settings) else "What it may do its own options say"
    run.notice(OUTSIDE.format(name=name, may=may))
    whole = ToolCall("agent", name, {"prompt": prompt})
    run.catalogue.replace([Tool(name, str, schema_of(name), reads_only=False)])
    story = Story(run, whole)
    run.call_started(whole)  # undo looks at the files before, and again after
    try:
        ended = follow(command, settings, run, story)
        story.whole_ended(ToolResult(whole, story.answer, True, run.seconds))
    except ProviderError as error:
        story.whole_ended(ToolResult(whole, ToolError(error), False, run.seconds))
        run.error(str(error))
        return run.finish("provider_error", story.answer)
    except TimeUp:
        story.whole_ended(ToolResult(whole, ToolError("its time was up"), False, run.seconds))
        return run.finish("time_budget", story.answer)
    except KeyboardInterrupt:
        story.whole_ended(ToolResult(whole, ToolError("it was interrupted"), False, run.seconds))
        return run.finish("interrupted", story.answer)
    objection(Reply(story.answer, (), story.usage, "stop", {}), run, last=True)
    return run.finish(ended, story.answer)


def command_of(settings: Settings, run: Run, prompt: str) -> list[str]:
    """The command to start, without a shell. Raises ConfigError where the program is not there."""
    words = shlex.split(settings.agent_cli)
    found = shutil.which(words[0], path=plain_environment().get("PATH")) if words else None
    if found is None:
        raise ConfigError(
            f"AGENT_CLI is {settings.agent_cli!r}, and there is no such program. Install one, for example with "
            "npm install -g @qwen-code/qwen-code@0.15.10 (the last for Node 20), or name another's command line."
        )
    if not ours_to_say(settings):
        return [found, *words[1:], prompt]
    limits = ["--max-session-turns", str(settings.max_iters)] if settings.max_iters else []
    mode = "yolo" if run.root.allow_unconfined else "auto-edit"
    how = ["--output-format", "stream-json", "--approval-mode", mode, "--auth-type", "openai", "--bare"]
    return [found, "-p", prompt, *how, *limits]


def ours_to_say(settings: Settings) -> bool:
    """Whether the agent is the one whose options are known here, and the person gives it none."""
    program, *options = shlex.split(settings.agent_cli)
    return Path(program).stem == "qwen" and not options


def follow(command: list[str], settings: Settings, run: Run, story: Story) -> str:
    """Run it to its end and tell the story; return the stop reason. Raises ProviderError where it gives no answer."""
    with process(command, settings, run) as (running, last_words, timed_out):
        assert running.stdout  # a pipe, as it was asked for
        while line := running.stdout.readline(LARGEST_LINE):
            story.take(line)
        code = running.wait()
    if timed_out.is_set():
        return "time_budget"
    if story.failed or not story.answer.strip():
        why = story.failed or next((text for text in reversed(last_words) if text.strip()), f"exit code {code}")
        raise ProviderError(f"{Path(command[0]).name} ended without an answer: {why[:300]}")
    return "answered"


@contextlib.contextmanager
def process(
    command: list[str], settings: Settings, run: Run
) -> Iterator[tuple[subprocess.Popen[bytes], deque[str], threading.Event]]:
    """Start it in a process group of its own, which is ended in any case, and when the time is over."""
    last_words: deque[str] = deque(maxlen=20)
    timed_out = threading.Event()
    with subprocess.Popen(
        command,
        cwd=run.root.path,
        env={**plain_environment(), **model_for(settings)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:

        def stop() -> None:
            timed_out.set()
            end(running)

        def listen() -> None:
            for line in running.stderr or ():
                last_words.append(line[:2000].decode("utf-8", "replace").strip())

        listener = threading.Thread(target=listen, daemon=True)
        timer = threading.Timer(settings.max_seconds, stop) if settings.max_seconds else None
        listener.start()
        if timer:
            timer.start()
        try:
            yield running, last_words, timed_out
        finally:
            if timer:
                timer.cancel()
            end(running)
            listener.join(2)


def end(running: subprocess.Popen[bytes]) -> None:
    """End it with all that it started; where there are no process groups, itself."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            running.kill()
        else:
            os.killpg(running.pid, signal.SIGKILL)


def model_for(settings: Settings) -> dict[str, str]:
    """Which model it is to ask: ours, by the variables that the openai SDKs read, and Gemini's by those that Gemini CLI
    reads, which no other agent gets; no key stands in a command line."""
    from providers.discovery import look

    found = look(settings.lmstudio_base_url, settings.lmstudio_api_key, seconds=1.5, wanted=settings.lmstudio_model)
    model = settings.lmstudio_model or (found.model if found else "")
    given = {"OPENAI_BASE_URL": settings.lmstudio_base_url, "OPENAI_API_KEY": settings.lmstudio_api_key}
    gemini = {"GOOGLE_GEMINI_BASE_URL": settings.gemini_base_url, "GEMINI_API_KEY": settings.gemini_api_key}
    if Path(shlex.split(settings.agent_cli)[0]).stem == "gemini":
        given |= {name: value for name, value in gemini.items() if value}
    return {**given, "OPENAI_MODEL": model} if model else given


class Story:
    """What the agent tells of itself, line by line: told to the run as our own loops tell it."""

    def __init__(self, run: Run, whole: ToolCall) -> None:
        self.run, self.whole = run, whole
        self.answer, self.failed = "", ""
        self.usage = usage_of({})
        self._calls: dict[str, ToolCall] = {}
        self._results: list[ToolResult] = []

    def take(self, line: bytes) -> None:
        """Take in one line; what is not JSON is an answer in plain text."""
        text = line.decode("utf-8", "replace")
        try:
            event = json.loads(text)
        except (ValueError, RecursionError):
            event = None
        if not isinstance(event, dict):
            self.answer += text
            self.run.text(text)
            return
        sent = event.get("message")
        message = sent if isinstance(sent, dict) else {}
        if event.get("type") == "system" and isinstance(event.get("tools"), list):
            self._offer(event["tools"])
        elif event.get("type") == "assistant":
            self._replied(message)
        elif event.get("type") == "user":
            self._answered(message)
        elif event.get("type") == "result":
            self.answer = str(event.get("result") or self.answer)
            problem = event.get("error")
            words = problem.get("message") if isinstance(problem, dict) else problem
            self.failed = str(words or self.answer or "it failed") if event.get("is_error") else ""

    def _offer(self, names: list[Any]) -> None:
        """Its tools, as the gates and the page need them. None counts as changing something: the files are looked at
        before and after the whole, and a change in between is not the person's."""
        tools = [self.run.catalogue[self.whole.name]]
        for name in dict.fromkeys(map(str, names)):
            edits, runs = (any(part in name.lower() for part in parts) for parts in (EDITS, RUNS))
            path = PATH if edits else ""
            tools.append(
                Tool(name, str, schema_of(name), reads_only=True, path=path, changes_files=edits, verifies=runs)
            )
        self.run.catalogue.replace(tools)

    def _replied(self, message: Mapping[str, Any]) -> None:
        blocks = [block for block in message.get("content") or () if isinstance(block, dict)]
        text = "".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")
        calls = tuple(
            ToolCall(str(block.get("id")), str(block.get("name")), self._inside(block.get("input") or {}))
            for block in blocks
            if block.get("type") == "tool_use"
        )
        usage = usage_of(message)
        self.usage = self.usage + usage
        self.run.asking()
        if text:
            self.run.text(text)
        self.run.replied(Reply(text, calls, usage, str(message.get("stop_reason") or ""), dict(message)))
        self.answer = text or self.answer
        for call in calls:
            self._calls[call.id] = call
            self.run.call_started(call)

    def _answered(self, message: Mapping[str, Any]) -> None:
        for block in message.get("content") or ():
            if not isinstance(block, dict) or block.get("type") != "tool_result":
                continue
            call = self._calls.pop(str(block.get("tool_use_id")), None)
            if call is None:
                self.run.warn("A result without a call was dropped.")
                continue
            content = block.get("content")
            if isinstance(content, list):
                content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
            text = str(content or "").replace(f"{self.run.root.path}{os.sep}", "")
            ok = not block.get("is_error")
            self._results.append(ToolResult(call, text if ok else ToolError(text), ok, 0.0))

    def whole_ended(self, result: ToolResult) -> None:
        """The agent has ended: undo looks at what it changed, as one call, and then the calls in it are told."""
        self.run.call_finished(result)
        for each in self._results:
            self.run.call_finished(each)

    def _inside(self, arguments: Any) -> Any:
        """Arguments with paths as they are below the working directory."""
        top = f"{self.run.root.path}{os.sep}"
        if not isinstance(arguments, dict):
            return {}
        return {name: value.replace(top, "") if isinstance(value, str) else value for name, value in arguments.items()}


def schema_of(name: str) -> dict[str, Any]:
    parameters = {"type": "object", "properties": {}, "additionalProperties": True}
    return {"name": name, "description": "A tool of another agent.", "parameters": parameters}
