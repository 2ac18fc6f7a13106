"""Play a story: every command is a line of words, every answer a line of text."""

from .world import OPPOSITE

SHORT = {"n": "north", "s": "south", "e": "east", "w": "west", "i": "inventory", "l": "look"}


class Game:
    def __init__(self, rooms, start=None):
        self.rooms = rooms
        self.room = rooms[start] if start else next(iter(rooms.values()))
        self.carried = []
        self.visited = {self.room.name}
        self.moves = 0

    def command(self, line):
        words = line.lower().split()
        if not words:
            return "Pardon?"
        verb, rest = SHORT.get(words[0], words[0]), " ".join(words[1:])
        self.moves += 1
        if verb in OPPOSITE:
            return self.go(verb)
        action = getattr(self, f"do_{verb}", None)
        if action is None:
            self.moves -= 1
            return f"You cannot {verb} here."
        return action(rest)

    def go(self, direction):
        if direction not in self.room.exits:
            return "There is no way."
        way, room = self.room.exits[direction]
        if way.locked:
            return "The door is locked."
        self.room = room
        self.visited.add(room.name)
        return self.do_look("")

    def do_look(self, rest):
        parts = [self.room.text]
        if self.room.things:
            parts.append("You see: " + ", ".join(thing.name for thing in self.room.things) + ".")
        return " ".join(parts)

    def do_take(self, name):
        thing = pick(self.room.things, name)
        if thing is None:
            return "It is not here."
        self.room.things.remove(thing)
        self.carried.append(thing)
        return "Taken."

    def do_drop(self, name):
        thing = pick(self.carried, name)
        if thing is None:
            return "You do not have it."
        self.carried.remove(thing)
        self.room.things.append(thing)
        return "Dropped."

    def do_inventory(self, rest):
        if not self.carried:
            return "You carry nothing."
        return "You carry: " + ", ".join(thing.name for thing in self.carried) + "."

    def do_examine(self, name):
        thing = pick(self.carried + self.room.things, name)
        return thing.text if thing else "It is not here."

    def do_unlock(self, direction):
        if direction not in self.room.exits:
            return "There is no door."
        way, _ = self.room.exits[direction]
        if not way.locked:
            return "It is not locked."
        if pick(self.room.things, way.key) is None:
            return "You have no key that fits."
        way.locked = False
        return "It opens."

    def explored(self):
        return 100 * len(self.visited) // len(self.rooms)


def pick(things, name):
    """The thing of a name; its last word will do, as in 'key' for 'iron key'."""
    for thing in things:
        if name and (thing.name == name or thing.name.split()[-1] == name):
            return thing
    return None
