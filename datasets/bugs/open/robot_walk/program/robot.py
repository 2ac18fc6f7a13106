"""A toy robot on a table: 'F3 R F L B2' moves it about, never over the edge."""

HEADINGS = ["N", "E", "S", "W"]
STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}


class BadCommand(ValueError):
    pass


class Robot:
    def __init__(self, width=8, height=8, x=0, y=0, heading="N"):
        self.width, self.height = width, height
        self.x, self.y = x, y
        self.heading = heading
        self.walls = set()
        self.trail = [(x, y)]
        self.bumps = 0

    def wall(self, x, y):
        self.walls.add((x, y))

    def turn(self, quarters):
        """Positive turns right, negative left."""
        index = HEADINGS.index(self.heading)
        self.heading = HEADINGS[(index + quarters) % len(HEADINGS)]

    def move(self, count):
        """Go forward, or backward when negative; stops at walls and edges."""
        dx, dy = STEPS[self.heading]
        sign = 1 if count > 0 else -1
        for _ in range(abs(count)):
            x, y = self.x + sign * dx, self.y - sign * dy
            if not self.is_free(x, y):
                self.bumps += 1
                return
            self.x, self.y = x, y
            self.trail.append((x, y))

    def is_free(self, x, y):
        return 0 <= x < self.width and 0 <= y < self.height and (x, y) not in self.walls

    def obey(self, commands):
        for command in commands.split():
            letter, count = command[0], command[1:]
            if count and not count.isdigit():
                raise BadCommand(command)
            times = int(count) if count else 1
            if letter == "F":
                self.move(times)
            elif letter == "B":
                self.move(-times)
            elif letter == "R":
                self.turn(times)
            elif letter == "L":
                self.turn(-times)
            else:
                raise BadCommand(command)
        return self

    @property
    def place(self):
        return f"{self.x},{self.y},{self.heading}"

    def visited(self):
        return len(set(self.trail))


if __name__ == "__main__":
    print(Robot().obey("F3 R F2 L B").place)
