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
BAR = "[{bar}] {done} of {count} lessons done"
BAR_DONE, BAR_OPEN = "#", "."
DIAGRAM = "What you have built so far. Today's part stands in brackets:"
OPEN_NOW = "Your file is {path}. Open it now in your editor. Every time you save it, I check it."
EDIT = "Edit {file} and save: I am watching it."
COMMANDS_SHORT = "h hint, n next, l list, ? all commands"
WITH_ENTER = "Type a letter, then Enter:"
ONE_KEY = "Press a key:"
REST_OF_THE_TEXT = "t: the text of this lesson again; you saved before its end."
MORE_LINES = "-- Enter: go on reading ({lines} more lines) --"
PROMPT = "> "

HELP = (
    ("h", "a hint, each a little clearer than the last"),
    ("c", "check now, without a save"),
    ("n", "next lesson"),
    ("l", "list the lessons"),
    ("g N", "go to lesson N"),
    ("t", "the text of this lesson again"),
    ("s", "a solution, to compare with yours"),
    ("r", "reset: put the file back as it was at the start (yours is kept aside); the lesson is open again"),
    ("restart N", "begin lesson N anew: its file, its hints and its saves"),
    ("w WORD", "what a word means; w alone lists the words"),
    ("d", "the drawing of what you have built so far"),
    ("p", "the question before the lesson, and what really happens"),
    ("v", "see the run that your code just made in the trace player (lessons 6, 7, 11, 14, 20)"),
    ("k", "keep the page of that run"),
    ("f", "the finale: your parts beside the shipped ones, once lesson 14 is done"),
    ("o", "open the file in $EDITOR"),
    ("Enter", "go on reading, or see the next picture"),
    ("q", "quit; everything is remembered"),
    ("?", "this list"),
)

CHECKING = "Checking {file} ..."
NO_CASES = "the check has looked at nothing"
OK = "ok"
NOT_YET = "not yet"
SKIPPED = "skipped"
HELD = "{count} cases hold"
SUMMARY = "Lesson {number} of {count}: {held} of {cases} hold."
FIRST = "The first that does not: {title}"
CALLED, GOT, EXPECTED, WHY = "called", "got", "expected", "why"
NOT_WRITTEN = "{file} is waiting for your code: {what}."
PASSED = "Lesson {number} is done: all {cases} hold."
AGAIN = "It is still done: all {cases} hold."
PRINTED = "Your code printed:"
PRINTED_MORE = "... and {more} more lines"
SAME_THING = "The same thing in the real agent: {links}"
NEXT = "n: lesson {number} ({title}). s: a solution to compare with."
FINISHED = "That was the last lesson."
BUILT = "You have built a coding agent. f: the finale."
MORE_TO_SEE = "Enter: see on ({shown} of {frames})."
SEE_PLAYER = "v: see this run in the trace player, as a page."
PLAYER = "The page is {path}."
KEEP = "k: keep that page."
KEPT = "Kept: {path}."
NO_PLAYER = "There is no run to see yet. Lessons 6, 7, 11, 14 and 20 record one when they pass."

YOURS, LENT = (
    "of your earlier parts this uses: {names}.",
    "of the course's parts this uses, lent: {names}. They become yours when those lessons pass.",
)
PART_GONE = (
    "{file} (lesson {number}) is gone. It was done; r in lesson {number} puts its start back. The course lends its own."
)
PART_BROKEN = (
    "{file} (lesson {number}) has changed since it passed, and does not hold any more: {problem}. That is not the file "
    "of this lesson; the course lends its own part meanwhile. g {number}: go there."
)
OWN_PARTS = "made of your own parts"
CULPRIT = (
    "With the course's own part in place of {file} (lesson {number}) this holds: {title}. So look there first, and not "
    "in {here}."
)
CULPRITS = (
    "With the course's own parts in place of yours ({names}) this holds: {title}. No single one of them cures it: two "
    "or more have a share in it."
)
OWN_PARTS_LENT = "lent by the course: {named}"
OWN_PARTS_WANTED = "every part that {file} uses written by you. g {number}: to the first that is lent"
OWN_PARTS_WHY = "it works with the course's parts; it is your agent when it works with yours"

PREDICT = "Before you read: what do you think?"
PREDICT_HOW = "x, y or z; or Enter to go straight to the text."
PREDICT_AGAIN = "p: the question once more."
PREDICTED_RIGHT = "Right: {letter}."
PREDICTED_WRONG = "You said {said}. It is {letter}."
REALLY = "What really happens when the program runs:"
NO_QUESTION = "This lesson has no question."
NOT_A_LETTER = "x, y or z, please."

WORDS_ARE = "Words that I can explain (w WORD):"
NO_WORD = "I have no word like {word!r}. w lists the words that I know."
WORD_IN = "Lesson {number}."

FINALE = "You have built a coding agent. These are its parts, yours beside the ones that ship:"
FINALE_HEADS = ("lesson", "your file", "lines", "shipped", "lines")
FINALE_SUM = (
    "Together: {mine} lines of yours. What the shipped ones have more is what a stranger's disk, model and mood need."
)
FINALE_STEPS = "Three next steps:"
FINALE_NEXT = (
    'Let it work with a model of yours: python -m lessons agent "fix the bug" --provider lmstudio',
    "Read the real agent with new eyes, in the order of docs/read-the-source.md: you have written each of its parts.",
    'Give it a task of yours, and watch each step: uv run main.py --watch "..." shows the run as a page.',
)
FINALE_PAGE = "A page to keep: {path}"
NO_FINALE = "The finale comes when lesson {number} is done."
OFFER_FIRST_HINT = "h: a hint."
OFFER_THIRD_HINT = "{saves} saves and not there yet; that is how it goes. h: a hint, up to the shape of an answer."

HINT = "Hint {number} of {hints}"
NO_MORE_HINTS = "These were all the hints. s: a solution."
SOLUTION = "A solution to lesson {number}. Yours may look different and be as good."
SOLUTION_EARLY = "Lesson {number} is not done yet. Type s once more to see a solution all the same."
NOT_DONE_YET = "Lesson {number} is not done yet; g {number} brings you back to it."
LAST = "There is no lesson after this one. l: list."
RESET_DONE = "{file} is as it was at the start, and the lesson is open again. Your version is kept as {kept}."
RESTARTED = "Lesson {number} begins anew: its file, its hints and its saves. Your version is kept as {kept}."
RESTARTED_EMPTY = "Lesson {number} begins anew: its hints and its saves. There was no version of yours to keep."
RESET_NOTHING = "{file} is as it was at the start; there was nothing to put aside."
GIVEN_KEPT = "This lesson brings a file of its own where you had one; yours is kept as {kept}."
RUN_KEPT = "{path} is made anew; not all in it was as a run had left it, so all of it is kept as {kept}."
RUN_NOT_KEPT = "{path} is not as a run left it, and could not be put aside ({reason}). Move it away, then try again."
GONE = "{file} is gone (deleted, renamed, or not saved yet). r: put it back as it was at the start."
BACK = "{file} is there again."
EDITOR_UNSET = "EDITOR is not set. Open this file in your editor: {path}"
EDITOR_FAILED = "{editor} could not be started ({reason}). Open this file in your editor: {path}"
UNKNOWN = "I do not know {line!r}. ? lists what I know."
GO_WHERE = "Go where? For example: g 3"
FAREWELL = "Until next time. python -m lessons goes on at lesson {number}."

LIST_DONE, LIST_HERE, LIST_OPEN = "done", "here", ""
LIST_ROW = "{number:>2}  {mark:<4}  "
CHECK_ROW_PASSED, CHECK_ROW_FAILED = "done     {number:>2}  ", "not yet  {number:>2}  "
NOT_STARTED = "{file} does not exist yet. Start it with python -m lessons, and there: g {number}"
NOTHING_STARTED = "No lesson has been started yet. Begin with: python -m lessons"

DAMAGED = "{path} is damaged ({reason}). It is set aside as {kept}. I check your files to see what is done."
REBUILT = "Done already: {numbers}."
REBUILT_NONE = "None of your files passes yet."
NOT_SAVED = "Your progress could not be written ({reason}). Your files are safe; I try again after the next step."
NOT_COPIED = "{file} could not be written ({reason}). Make room on the disk, then type r."
NEWER = "{path} was written by a newer version of the course. I keep what it holds, and add to it."

REPORT_NONE = "no progress file"
REPORT_NO_FOLDER = "no such folder"
REPORT_NO_NAME = "no name"
REPORT_DAMAGED = "damaged progress file"
REPORT_REBUILT = (
    "{name}: progress.json is damaged ({damage}) and kept as {kept}. The files were run again: {holds} lessons hold."
)
REPORT_NOT_REBUILT = (
    "{name}: progress.json is damaged ({damage}). It stays as it is, for nothing can be written there ({reason}); the "
    "files were run again for this report: {holds} lessons hold."
)
REPORT_WHO = "who"
REPORT_SUMS = ("done", "minutes", "checks", "hints", "solutions seen", "last step")
REPORT_SUM = "{} done, {} minutes, {} checks, {} hints, {} solutions seen"
REPORT_WAYS = "The way of each"
REPORT_WAY = "{minutes} minutes, {checks} checks, {hints} hints"
REPORT_SEEN, REPORT_PASSED, REPORT_NOW = ", solution seen", "passed", "now"
REPORT_WRITTEN = "Written: {path}"
REPORT_MARKS = "x done, - done once and does not pass now, + passes and is not marked as done, a number: failed checks"
REPORT_CHECKING = "Running the files of {people} learners, {workers} at a time ..."
REPORT_CHECKED = "{name}: {holds} lessons hold ({done} of {count} learners)"
REPORT_STUCK = "Where the class is stuck:"
REPORT_STUCK_ROW = "lesson {number} ({title}): {stuck} of {people} stand before it, {saves} failed checks in all"
REPORT_STUCK_AT = "{times} of them at: {case}"
REPORT_ALL_THROUGH = "Nobody is stuck."
REPORT_ALIKE = "Answers that are alike beyond what the lesson gives:"
REPORT_ALIKE_ROW = "lesson {number} ({title}): {one} and {other}, {share:.0%} of the smaller answer"
REPORT_ALIKE_MORE = "lesson {number}: {more} more pairs"
REPORT_ALIKE_HOW = (
    "Names, texts, numbers, comments and order left aside. That proves nothing: two may have worked together, or read "
    "the same page."
)
REPORT_TITLE = "The class"
REPORT_NOT_BEGUN = "not begun"
REPORT_VERIFIED, REPORT_BELIEVED = (
    "Every file was run again.",
    "As the progress files say; --verify runs the files again.",
)

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
STOPPED_IMPORT = (
    "Stopped: {stage} took more than {seconds:g} seconds. That is no loop of yours: a package is slow to load here. "
    "Try again; if it stays so, do without it."
)
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
MUTANTS = "{lesson:14} {part:4.0%} refused: {refused} of {all}; {alike} more make no difference"
MUTANT_ACCEPTED = "  accepted: {what}"
OTHER_LEARNER = (
    "{folder} was begun {known}, and GLASSBOX_LEARNER says {given}. Its tasks stay as they are. Unset it, or "
    "begin a folder of your own with --my-agent FOLDER."
)
BEGUN_AS, BEGUN_WITHOUT = "as {known}", "without a name"
NO_LESSON = "There is no lesson {wanted!r}. They are numbered 1 to {last}: try list."
NO_PAGE = "The page cannot be written ({reason})."
NOT_RENAMED = "{path} cannot be read ({damage}) or renamed ({reason})."
NO_CSV = "{path} could not be written ({reason})."
USAGE = "Error: {message}. See: python -m lessons --help"

NO_DOCS = "{path} is no folder. Say which one holds your documents: python -m lessons ask FOLDER QUESTION"
LIBRARIAN_MISSING = "There is no librarian to ask yet: {file} does not pass its check. Lesson {number} builds it."
LIBRARIAN_WORKING = "Your librarian looks into {path}. The model: {model}."
BY_WORDS_ALONE = "It searches by words alone. To search by meaning, too, add what makes vectors: uv sync --extra search"

NO_SERVER = "No model answers at {address}. See docs/lm-studio.md."
NO_KEY = "GEMINI_API_KEY is not set. See docs/gemini.md."
AGENT_MISSING = "There is no agent to run yet: {file} does not pass its check. Lesson {number} builds it."
AGENT_WORKING = "Your agent works on {path}, a fresh copy of the calculator. The model: {model}."
AGENT_HELPED = (
    "Around it: the opening and the reading of calls from lesson 21, yours. Lent by the real agent: suggest_repair, "
    "which searches for a change and tries it, and apply_repair, which makes it by its number."
)
AGENT_TURN = "{number:>2}  {calls}"
AGENT_ANSWER = "Its answer:"
AGENT_CHANGED = "What it changed:"
AGENT_CHANGED_NOTHING = "It changed nothing."
AGENT_STOPPED = "Stopped, as you wished."
AGENT_FAILED = "Your agent did not come to an end: {reason}"
CANNOT_RUN = "The program cannot be run here: {reason}."
STOPPED_FOR = "(stopped: {reason})"

WEB = "The course is at {address}"
WEB_HOW = (
    "The address is for this computer and for you alone, and the same each time. Ctrl-C ends the page; everything is "
    "remembered."
)
WEB_PORT_TAKEN = (
    "Port {wanted}, where the course is otherwise, is taken: by another program, or by this course, started twice. "
    "This time it is at port {port}."
)
WEB_RUNS = "Your agent runs already. Stop it first, or let it come to its end."
WEB_GONE = "{file} is gone from the disk (deleted, renamed or moved). Nothing was written."
WEB_PUT_BACK = "{file} was gone from the disk (deleted, renamed or moved): this is its start."
WEB_NO_PORT = "The page cannot be served ({reason})."
WEB_CHANGED = "{file} has changed on the disk since this page read it. Nothing was written."
WEB_NO_TEXT = "{file} cannot be shown on the page ({reason}). Your editor can open it: {path}"
WEB_TOO_LONG = "it has more than {most:,} bytes"
WEB_FAULT = "The course itself failed at that ({what}; {reason}). Your files are as they were saved."
WEB_KEPT = "What was on the disk is kept as {kept}."
