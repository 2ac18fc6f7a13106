import unittest

from robot import Robot


class HiddenTest(unittest.TestCase):
    def test_there_and_back(self):
        for heading in "NESW":
            robot = Robot(x=4, y=4, heading=heading).obey("F2 B2")
            self.assertEqual(robot.place, f"4,4,{heading}")

    def test_backward_in_every_heading(self):
        places = [Robot(x=4, y=4, heading=h).obey("B3").place for h in "NESW"]
        self.assertEqual(places, ["4,1,N", "1,4,E", "4,7,S", "7,4,W"])

    def test_a_square(self):
        robot = Robot(x=2, y=2).obey("F2 R F2 R F2 R F2 R")
        self.assertEqual(robot.place, "2,2,N")
        self.assertEqual(robot.visited(), 8)

    def test_zero_steps(self):
        robot = Robot().obey("F0 B0")
        self.assertEqual((robot.place, robot.bumps), ("0,0,N", 0))
