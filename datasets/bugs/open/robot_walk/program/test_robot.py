import unittest

from robot import BadCommand, Robot


class RobotTest(unittest.TestCase):
    def test_forward(self):
        self.assertEqual(Robot().obey("F3").place, "0,3,N")

    def test_turning(self):
        self.assertEqual(Robot().obey("R").place, "0,0,E")
        self.assertEqual(Robot().obey("L").place, "0,0,W")
        self.assertEqual(Robot().obey("R6").place, "0,0,S")

    def test_a_walk(self):
        self.assertEqual(Robot().obey("F3 R F2 L B").place, "2,2,N")

    def test_backward_to_the_west(self):
        self.assertEqual(Robot(x=3, heading="W").obey("B2").place, "5,0,W")

    def test_edge(self):
        robot = Robot().obey("F20")
        self.assertEqual(robot.place, "0,7,N")
        self.assertEqual(robot.bumps, 1)

    def test_wall(self):
        robot = Robot()
        robot.wall(0, 2)
        self.assertEqual(robot.obey("F5 R F").place, "1,1,E")

    def test_visited(self):
        self.assertEqual(Robot().obey("F2 B2 F1").visited(), 3)

    def test_bad_command(self):
        for command in ("X", "Fx", "F2 Q1"):
            with self.assertRaises(BadCommand):
                Robot().obey(command)


if __name__ == "__main__":
    unittest.main()
