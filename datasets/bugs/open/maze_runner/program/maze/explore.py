"""How far it is, and what can be reached."""


def walk_length(maze, keys=frozenset()):
    """Steps from start to exit with the given keys, or None."""
    distance = {maze.start: 0}
    front = [maze.start]
    while front:
        following = []
        for position in front:
            if position == maze.exit:
                return distance[position]
            for place in maze.neighbours(position, keys):
                if place not in distance:
                    distance[place] = distance[position] + 1
                    following.append(place)
        front = following
    return None


def reachable(maze, keys=frozenset()):
    seen = {maze.start}
    stack = [maze.start]
    while stack:
        for place in maze.neighbours(stack.pop(), keys):
            if place not in seen:
                seen.add(place)
                stack.append(place)
    return seen


def collect_keys(maze):
    """Pick up keys and open doors until nothing new is reached."""
    keys = set()
    while True:
        found = {maze.cell(place) for place in reachable(maze, keys)}
        found = {mark for mark in found if mark in "abcd"}
        if found <= keys:
            return keys
        keys |= found
        return keys
