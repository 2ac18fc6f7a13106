"""Everything that the walk itself says, in one place, ready to translate. The lessons' own texts lie with the lessons.

Names in braces are filled in; keep them. Only ASCII, so that every terminal can show it.
"""

WELCOME = (
    "You are about to build a coding agent: the one that this project ships, in {count} small parts. "
    "Each lesson shows something real, then asks for a few lines in a file of your own. "
    "No key, no model and no network are needed; nothing that you write can break the project."
)
WELCOME_BACK = "Welcome back. {passed} of {count} lessons are done; here is where you stopped."
WHERE = "Lesson {number} of {count}: {title}"
OPEN_NOW = "Your file is {path}. Open it now in your editor. Every time you save it, I check it."
EDIT = "Edit {file} and save: I am watching it."
COMMANDS_SHORT = "h hint, n next, l list, ? all commands"
PROMPT = "> "

HELP = (
    ("h", "a hint, each a little clearer than the last"),
    ("c", "check now, without a save"),
    ("n", "next lesson"),
    ("l", "list the lessons"),
    ("g N", "go to lesson N"),
    ("t", "the text of this lesson again"),
    ("s", "a solution, to compare with yours"),
    ("r", "reset: put the file back as it was at the start (yours is kept aside)"),
    ("v", "see the run that your code just made in the trace player (lessons 6, 7, 11)"),
    ("o", "open the file in $EDITOR"),
    ("q", "quit; everything is remembered"),
    ("?", "this list"),
)

CHECKING = "Checking {file} ..."
OK = "ok"
NOT_YET = "not yet"
SKIPPED = "skipped"
SUMMARY = "Lesson {number} of {count}: {held} of {cases} hold."
FIRST = "The first that does not: {title}"
CALLED, GOT, EXPECTED, WHY = "called", "got", "expected", "why"
NOT_WRITTEN = "{file} is waiting for your code: {what}."
PASSED = "Lesson {number} is done: all {cases} hold."
AGAIN = "It is still done: all {cases} hold."
PRINTED = "Your code printed:"
PRINTED_MORE = "... and {more} more lines"
SAME_THING = "The same thing in the real agent: {links}"
NEXT = "n: lesson {number}, {title}. s: a solution to compare with."
FINISHED = "That was the last lesson. You have built a coding agent."
MORE_TO_SEE = "Enter: see on ({shown} of {frames})."
SEE_PLAYER = "v: see this run in the trace player, as a page."
PLAYER = "The page is {path}."
NO_PLAYER = "There is no run to see yet. Lessons 6, 7 and 11 record one when they pass."
OFFER_FIRST_HINT = "h: a hint."
OFFER_THIRD_HINT = "{saves} saves and not there yet; that is how it goes. h: a hint, up to the shape of an answer."

HINT = "Hint {number} of {hints}"
NO_MORE_HINTS = "These were all the hints. s: a solution."
SOLUTION = "A solution to lesson {number}. Yours may look different and be as good."
SOLUTION_EARLY = "Lesson {number} is not done yet. Type s once more to see a solution all the same."
NOT_DONE_YET = "Lesson {number} is not done yet; g {number} brings you back to it."
LAST = "There is no lesson after this one. l: list."
RESET_DONE = "{file} is as it was at the start. Your version is kept as {kept}."
RESET_NOTHING = "{file} is as it was at the start; there was nothing to put aside."
GONE = "{file} is gone (deleted, renamed, or not saved yet). r: put it back as it was at the start."
BACK = "{file} is there again."
EDITOR_UNSET = "EDITOR is not set. Open this file in your editor: {path}"
EDITOR_FAILED = "{editor} could not be started ({reason}). Open this file in your editor: {path}"
UNKNOWN = "I do not know {line!r}. ? lists what I know."
GO_WHERE = "Go where? For example: g 3"
FAREWELL = "Until next time. python -m lessons goes on at lesson {number}."

LIST_DONE, LIST_HERE, LIST_OPEN = "done", "here", ""
LIST_ROW = "{number:>2}  {mark:<4}  {title}"
CHECK_ROW_PASSED = "done     {number:>2}  {title}"
CHECK_ROW_FAILED = "not yet  {number:>2}  {title}: {case}"
NOT_STARTED = "{file} does not exist yet. Start it with: python -m lessons"
NOTHING_STARTED = "No lesson has been started yet. Begin with: python -m lessons"

DAMAGED = "{path} is damaged ({reason}). It is set aside as {kept}. I check your files to see what is done."
REBUILT = "Done already: {numbers}."
REBUILT_NONE = "None of your files passes yet."
NOT_SAVED = "Your progress could not be written ({reason}). Your files are safe; I try again after the next step."
NOT_COPIED = "{file} could not be written ({reason}). Make room on the disk, then type r."
NEWER = "{path} was written by a newer version of the course. I keep what it holds, and add to it."

REPORT_NONE = "no progress file"
REPORT_DAMAGED = "damaged progress file"
REPORT_WHO, REPORT_DONE, REPORT_HINTS, REPORT_LAST = "who", "done", "hints", "last step"
REPORT_WRITTEN = "Written: {path}"

NO_WALL = (
    "No wall of this system can hold your code in: while it is checked it has your own rights, and only its time, "
    "memory, output and processes are limited."
)
NO_FORK = (
    "Lesson {number} starts programs, and the sandbox of this system lets code start none: as root without namespaces "
    "no fork bomb could be held. Run the lessons as an ordinary user, or go on with another: l lists them."
)
NOT_INSTALLED = (
    "Lesson {number} needs the package {package}, which is not installed for this Python. Start the lessons with "
    "`uv run python -m lessons`, or install what is needed: python -m pip install -r requirements.txt"
)
DISK_FULL = "The disk is full, so your file cannot be checked. It is safe; make room, then save again."
CANNOT_CHECK = "Your file cannot be checked: {reason}."
BROKEN_CHECK = (
    "The check of lesson {number} cannot run ({reason}). That is not your file: {place} belongs to the course. "
    "Put it back with: git checkout -- {place}"
)
BROKEN_TEXT = "{place} cannot be read ({reason}). It belongs to the course; put it back with: git checkout -- {place}"
STOPPED_TIME = "Stopped: your code was still running after {seconds:g} seconds.{doing} Is there a loop without an end?"
STOPPED = {
    "output": "Stopped: your code printed too much text.{doing}",
    "memory": "Stopped: your code used too much memory.{doing}",
    "processes": "Stopped: your code started too many processes.{doing}",
    "disk": "Stopped: your code wrote too much to the disk.{doing}",
}
ENDED_BY = "No verdict: your code was ended by {by} before the check was through.{doing}"
ENDED_ITSELF = "No verdict: your code ended Python itself (os._exit, perhaps) before the check was through.{doing}"
BUSY_WITH = " It was busy with: {stage}"
LAST_WORDS = " Last words: {words}"
NO_LESSON = "There is no lesson {wanted!r}. They are numbered 1 to {last}: try list."
NO_PAGE = "The page cannot be written ({reason})."
NOT_RENAMED = "{path} cannot be read ({damage}) or renamed ({reason})."
NO_CSV = "{path} could not be written ({reason})."
USAGE = "Error: {message}. See: python -m lessons --help"

NO_DOCS = "{path} is no folder. Say which one holds your documents: python -m lessons ask FOLDER QUESTION"
LIBRARIAN_MISSING = "There is no librarian to ask yet: {file} does not pass its check. Lesson {number} builds it."
LIBRARIAN_WORKING = "Your librarian looks into {path}. The model: {model}."
MADE_OF = "Made of your parts: {yours}. Lent by the course: {lent}."
BY_WORDS_ALONE = "It searches by words alone. To search by meaning, too, add what makes vectors: uv sync --extra search"

NO_SERVER = "No model answers at {address}. See docs/lm-studio.md."
NO_KEY = "GEMINI_API_KEY is not set. See docs/gemini.md."
AGENT_MISSING = "There is no agent to run yet: {file} does not pass its check. Lesson {number} builds it."
AGENT_WORKING = "Your agent works on {path}, a fresh copy of the calculator. The model: {model}."
AGENT_TURN = "{number:>2}  {calls}"
AGENT_ANSWER = "Its answer:"
AGENT_CHANGED = "What it changed:"
AGENT_CHANGED_NOTHING = "It changed nothing."
AGENT_FAILED = "Your agent did not come to an end: {reason}"
