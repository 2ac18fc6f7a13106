"""The notekeeper on Telegram, on the library python-telegram-bot: who writes to the bot is one person of Notekeepers.

    python -m doors.people.telegram 1234,5678     (user ids that are heard; the bot's token is TELEGRAM_BOT_TOKEN)

What is forwarded, stands below a picture or behind /keep becomes a note; all else is done as on the page.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from config import ConfigError, Settings, load_settings, need, variable
from doors.people.failed import AgentError, notes_after
from doors.people.notekeepers import Notekeepers
from doors.people.page.talk import MOST_WAITING, sentence
from jobs.notekeeper.job import text_in
from session import chosen_provider

if TYPE_CHECKING:
    from telegram import Message, Update
    from telegram.ext import Application, ContextTypes

TOKEN = "TELEGRAM_BOT_TOKEN"
STRANGER = "This notekeeper does not know you. Whoever runs it can add your number: {}."
KEEP = re.compile(r"^/keep(?:@\w+)?(?!\S)")  # with the bot's name where Telegram's menu wrote it
START = "Write something to keep, or ask. /keep makes a note of what follows, whatever it says; so does forwarding."
NO_TEXT = "There is no text in this message. Write something to keep, or ask; of a picture only the caption is kept."
BUSY = f"{MOST_WAITING} messages of yours are waiting already. Let some be done first."


def front(
    makers: Notekeepers, token: str, heard: Collection[int], server: str = ""
) -> Application[Any, Any, Any, Any, Any, Any]:
    """The bot, to be run. `heard` are the user ids that it answers, in private chats alone: in a group others would
    read a person's notes. `server` stands in for Telegram's own, as "http://127.0.0.1:8081/bot".
    Raises ConfigError where the library is not installed."""
    need("telegram", "telegram")
    from telegram.constants import MessageLimit
    from telegram.ext import ApplicationBuilder, MessageHandler, filters

    async def answer(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
        message, user = update.effective_message, update.effective_user
        if message is None or user is None:
            return
        said = await work(makers, user.id, message) if user.id in heard else STRANGER.format(user.id)
        for at in range(0, len(said), MessageLimit.MAX_TEXT_LENGTH):
            await message.reply_text(said[at : at + MessageLimit.MAX_TEXT_LENGTH])

    async def close(_: Application[Any, Any, Any, Any, Any, Any]) -> None:
        await makers.close()

    builder = (
        ApplicationBuilder().token(token).concurrent_updates(True).post_shutdown(close)
    )  # nobody waits for another
    app = (builder.base_url(server) if server else builder).build()
    app.add_handler(MessageHandler(filters.ChatType.PRIVATE & filters.UpdateType.MESSAGE, answer))
    return app


async def work(makers: Notekeepers, user: int, message: Message) -> str:
    """Do what a message says; what is told of it, also of what goes wrong."""
    try:
        text = text_in("This message", (message.text or message.caption or "").encode("utf-8", "surrogatepass"))
        if text.strip() == "/start":  # what Telegram sends first
            return START
        keep = KEEP.match(text)
        if not (text := KEEP.sub("", text).strip()):
            return NO_TEXT
        agent = await makers.get_agent(("telegram", user))
        if agent.waiting >= MOST_WAITING:
            return BUSY
        if keep or message.forward_origin or message.caption or makers.kind == "offline":
            return told(await agent.process([{"role": "user", "content": text}]))
        return told(await agent.execute_task(text))
    except (AgentError, ConfigError, ValueError) as error:
        return f"{sentence(error)} {notes_after(error)}"


def told(result: Mapping[str, Any]) -> str:
    """The answer, and what was written."""
    lines = [result["answer"]]
    for field, word in (("files_created", "New"), ("files_edited", "Changed"), ("files_deleted", "Deleted")):
        if paths := result.get(field):
            lines.append(f"{word}: {', '.join(paths)}")
    return "\n\n".join([*lines, *map(str, result["metadata"].get("notices", ()))]).strip() or "Done."


def serve(settings: Settings, numbers: str) -> None:
    """Run the bot until Ctrl-C. Raises ConfigError with the next step."""
    token = variable(TOKEN)
    if not token:
        raise ConfigError(f"{TOKEN} is not set. Get a token from @BotFather on Telegram, and write it into .env.")
    try:
        heard = frozenset(int(number) for number in numbers.split(","))
    except ValueError:
        raise ConfigError(
            "name the user ids that are heard, with commas: 1234,5678. The bot tells strangers theirs."
        ) from None

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    with chosen_provider(settings, tell) as (provider, loop, chosen):
        kind = "cli" if provider == "cli" else "autonomous"
        bot = front(Notekeepers(chosen, chosen.runs_directory / "people", loop, kind=kind), token, heard)
        from telegram.error import TelegramError

        tell("The bot listens until you press Ctrl-C.")
        try:
            bot.run_polling()
        except TelegramError as error:
            raise ConfigError(f"Telegram cannot be reached with this token ({error}). Look at {TOKEN}.") from None


if __name__ == "__main__":
    try:
        serve(load_settings(), "".join(sys.argv[1:]))
    except ConfigError as problem:
        sys.exit(f"Error: {problem}")
