import unittest

from story import Game, load

SOURCE = """
    room attic: Dust.
    room stairs: Steep.
    room vault: Gold.
    way attic down stairs
    way stairs east vault key=brass key
    thing brass key in attic: Small.
    thing iron key in stairs: Large.
"""


class HiddenTest(unittest.TestCase):
    def play(self, *commands):
        game = Game(load(SOURCE))
        return [game.command(command) for command in commands][-1]

    def test_the_right_key(self):
        self.assertEqual(self.play("take brass key", "down", "unlock east", "e"), "Gold.")

    def test_a_key_that_lies_there_does_not_do(self):
        self.assertEqual(self.play("take key", "down", "drop key", "unlock east"), "You have no key that fits.")

    def test_the_wrong_key(self):
        self.assertEqual(self.play("down", "take iron key", "unlock east"), "You have no key that fits.")

    def test_opened_once(self):
        self.assertEqual(self.play("take key", "down", "unlock east", "unlock east"), "It is not locked.")
        self.assertEqual(self.play("unlock down"), "It is not locked.")
        self.assertEqual(self.play("unlock up"), "There is no door.")
