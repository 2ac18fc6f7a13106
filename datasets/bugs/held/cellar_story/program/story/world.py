"""The world of a story: rooms, ways between them, and things.

    room hall: A cold hall.
    way hall north cellar key=iron key
    thing lamp in hall: It gives some light.
"""

import re

ROOM = re.compile(r"room (\w+): (.+)$")
WAY = re.compile(r"way (\w+) (\w+) (\w+)(?: key=(.+))?$")
THING = re.compile(r"thing ([\w ]+) in (\w+): (.+)$")
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east", "up": "down", "down": "up"}


class WorldError(ValueError):
    pass


class Way:
    """A way between two rooms; both of its ends share it, so that unlocking counts for both."""

    def __init__(self, key=None):
        self.key = key
        self.locked = key is not None


class Room:
    def __init__(self, name, text):
        self.name = name
        self.text = text
        self.exits = {}
        self.things = []


class Thing:
    def __init__(self, name, text):
        self.name = name
        self.text = text


def load(source):
    """Rooms by name, in the order in which they are told."""
    rooms = {}
    for line in filter(None, map(str.strip, source.splitlines())):
        if match := ROOM.match(line):
            rooms[match.group(1)] = Room(*match.groups())
        elif match := WAY.match(line):
            start, direction, end, key = match.groups()
            connect(rooms, start, direction, end, key)
        elif match := THING.match(line):
            name, room, text = match.groups()
            find(rooms, room).things.append(Thing(name, text))
        else:
            raise WorldError(f"cannot read: {line}")
    return rooms


def find(rooms, name):
    if name not in rooms:
        raise WorldError(f"no room {name}")
    return rooms[name]


def connect(rooms, start, direction, end, key):
    if direction not in OPPOSITE:
        raise WorldError(f"no direction {direction}")
    first, second = find(rooms, start), find(rooms, end)
    way = Way(key)
    first.exits[direction] = (way, second)
    second.exits[OPPOSITE[direction]] = (way, first)
