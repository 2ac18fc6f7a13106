"""python -m lessons --web: the course as a page, for one browser on this machine, until Ctrl-C."""

from __future__ import annotations

import contextlib

from lessons import words
from lessons.course import CourseError
from lessons.learner import Learner
from lessons.progress import reason_of
from lessons.screen import Screen


def serve(learner: Learner, screen: Screen) -> int:
    """Serve the learner's course, say where, and open it where there is a desktop. Returns the exit code."""
    from cli.desktop import open_privately
    from lessons.checker import tell_about_the_walls
    from lessons.web.desk import Desk
    from lessons.web.place import OTHERS, Place, keep, wanted
    from live.server import serving

    desk = Desk(learner)
    tell_about_the_walls(screen)
    place = wanted(learner.folder)
    try:
        with serving(desk.routes(), (place.port, *OTHERS, 0), place.token) as server:
            keep(learner.folder, Place(server.server_port, place.token))
            with contextlib.suppress(KeyboardInterrupt):
                if server.server_port != place.port:
                    screen.say(words.WEB_PORT_TAKEN.format(wanted=place.port, port=server.server_port), "failed")
                screen.say(words.WEB.format(address=server.address))
                screen.say(words.WEB_HOW, "quiet")
                if screen.stream.isatty():
                    open_privately(server.ticket(), learner.folder)
                server.stay()
            desk.finish()
    except OSError as error:
        raise CourseError(words.WEB_NO_PORT.format(reason=reason_of(error))) from None
    screen.line()
    screen.say(words.FAREWELL.format(number=desk.sitting().lesson.number))
    return 0
