"""Making room: what is left out of a conversation that does not fit the model's context window.

Enough goes at once that sending can be append-only again for a while. The system prompt, the task, every call and every
result stay in place; old tool output makes room first, with a note on how to get it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent.contracts import ToolResult
from agent.errors import TooLong

if TYPE_CHECKING:
    from agent.context import Context, Output
    from agent.run import Run
    from agent.setup import Path

ROOM_AGAIN = 0.75  # of what may be sent: how far down a shortening goes
WORTH_SHORTENING = 300  # characters; less saves nothing once the note stands there
NEW_SHARE = 4  # one quarter of what may be sent is for any one new output, when room is short
SHORTEST_CUT = 600  # characters of a new output that are always kept
PROTECTED_TURNS = 2  # the last one that was sent and the one that is to be sent: what the model is working with

LEFT_OUT = "[This output ({size} characters) was left out to make room. To see it, make the same call again.]"


def after_refusal(context: Context, error: TooLong, target: int | None) -> None:
    """Shorten after the server has refused what was sent, to `target` tokens where its window is known. Raises TooLong
    when there is nothing left to shorten."""
    if error.size:
        context.characters_per_token = max(1.0, context.characters / error.size)
    if error.window:
        context.run.context_window = error.window
    size = context.tokens
    if not shorten(context, min(target or int(size * 0.6), int(size * 0.9))):
        raise TooLong(error.window or context.run.context_window, error.size or size)


def shorten(context: Context, target: int) -> int:
    """Leave out old outputs; then cut new ones that would take more than a share; then the turn before makes room as
    well; then new ones are cut as far as it takes. Say how many were changed."""
    before = context.characters
    share = int(target * context.characters_per_token) // NEW_SHARE
    left_out = leave_out_old(context, int(target * ROOM_AGAIN), PROTECTED_TURNS)
    cut = cut_new(context, target, share)
    if context.tokens > target:
        left_out += leave_out_old(context, target, 0)
        cut += cut_new(context, target, SHORTEST_CUT)
    if left_out or cut:
        tell(context, left_out, cut, before)
    return left_out + cut


def leave_out_old(context: Context, target: int, protected: int) -> int:
    """Leave out outputs that were sent before, oldest reads first, down to a size in tokens."""

    def matters(output: Output) -> bool:
        """Whether it may be more than what can be read again."""
        return output.result is not None and not context.run.catalogue.reads_only(output.result.call)

    old = [output for output in context.outputs if output.sent and output.turn < context.run.turns - protected]
    left_out = 0
    for output in sorted(old, key=matters):
        if context.tokens <= target:
            break
        size = len(text_of(context, output))
        if size >= WORTH_SHORTENING:
            replace(context, output, LEFT_OUT.format(size=f"{size:,}"))
            left_out += 1
    return left_out


def cut_new(context: Context, target: int, shortest: int) -> int:
    """Cut the outputs of the last turn, longest first, until all fits or each is as short as it may become."""
    new = [output for output in context.outputs if not output.sent]
    cut = 0
    for output in sorted(new, key=lambda output: -len(text_of(context, output))):
        text = text_of(context, output)
        excess = int((context.tokens - target) * context.characters_per_token) + 200  # the note takes room too
        if context.tokens <= target or len(text) <= shortest:
            break
        assert output.result is not None, "what an earlier conversation holds has been sent"
        replace(context, output, shortened(context.run, output.result, text, max(shortest, len(text) - excess)))
        cut += 1
    return cut


def shortened(run: Run, result: ToolResult, text: str, most: int) -> str:
    """Return the beginning of an output and a note that says how to get the rest, as its tool has it."""
    tool, arguments = run.catalogue.get(result.call.name), result.call.readable
    kept = text[: text.rfind("\n", 0, most) + 1]
    alone = result.ok and not result.call.as_text  # a failure is no file, and with text calls the message holds more
    if tool and tool.read_on and alone and kept and isinstance(arguments, dict):
        return kept + tool.read_on(arguments, kept)
    return f"{text[:most]}\n[...cut to fit the context window: {len(text) - most:,} more characters. Ask for less.]"


def text_of(context: Context, output: Output) -> str:
    value: Any = context.messages[output.index]
    for step in output.path:
        value = value[step]
    return str(value)


def replace(context: Context, output: Output, text: str) -> None:
    """Put another text in place of an output, in a copy: listeners hold the message as it was."""
    context.put(output.index, replaced(context.messages[output.index], output.path, text))


def tell(context: Context, left_out: int, cut: int, before: int) -> None:
    window = context.run.context_window
    of = f" of {window:,} tokens" if window else ""
    done = [f"the output of {left_out} earlier calls was left out"] if left_out else []
    done += [f"{cut} new outputs were cut"] if cut else []
    saved = int((before - context.characters) / context.characters_per_token)
    context.run.notice(
        f"To fit the model's context window{of}, {' and '.join(done)} (about {saved:,} tokens). "
        "The model can ask for them again."
    )


def replaced(value: Any, path: Path, text: str) -> Any:
    """Return a copy of nested data with the text at `path` replaced; what is not on the path is shared."""
    if not path:
        return text
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], text)
    return copy
