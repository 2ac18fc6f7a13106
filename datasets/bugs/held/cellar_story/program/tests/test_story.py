import unittest

from story import Game, load
from story.world import WorldError

SOURCE = """
    room hall: A cold hall.
    room garden: A garden.
    room cellar: It smells of wine.
    way hall south garden
    way hall north cellar key=iron key
    thing lamp in hall: It gives some light.
    thing iron key in garden: It is rusty.
"""


class WorldTest(unittest.TestCase):
    def test_ways_lead_back(self):
        rooms = load(SOURCE)
        self.assertIs(rooms["garden"].exits["north"][1], rooms["hall"])

    def test_mistakes(self):
        for line in ("room", "way hall north attic", "thing lamp in attic: x"):
            with self.assertRaises(WorldError):
                load("room hall: Cold.\n" + line)


class GameTest(unittest.TestCase):
    def setUp(self):
        self.game = Game(load(SOURCE))

    def play(self, *commands):
        return [self.game.command(command) for command in commands][-1]

    def test_look(self):
        self.assertEqual(self.play("look"), "A cold hall. You see: lamp.")

    def test_walk(self):
        self.assertEqual(self.play("s"), "A garden. You see: iron key.")
        self.assertEqual(self.game.explored(), 66)

    def test_take_and_drop(self):
        self.assertEqual(self.play("take lamp", "s", "drop lamp", "look"), "A garden. You see: iron key, lamp.")

    def test_inventory(self):
        self.assertEqual(self.play("i"), "You carry nothing.")
        self.assertEqual(self.play("s", "take key", "i"), "You carry: iron key.")

    def test_locked(self):
        self.assertEqual(self.play("north"), "The door is locked.")
        self.assertEqual(self.play("unlock north"), "You have no key that fits.")

    def test_unlock(self):
        self.assertEqual(self.play("s", "take key", "n", "unlock north"), "It opens.")
        self.assertEqual(self.play("n"), "It smells of wine.")

    def test_unknown_commands_cost_nothing(self):
        self.assertEqual(self.play("sing"), "You cannot sing here.")
        self.assertEqual(self.game.moves, 0)
