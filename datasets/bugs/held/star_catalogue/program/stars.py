"""A catalogue of stars: positions in hours and degrees, brightness, and what stands in the sky tonight."""

import math
import re

ANGLE = re.compile(r"([+-]?)(\d+)[h°d]\s*(\d+)[m']\s*(?:(\d+(?:\.\d+)?)[s\"])?$")


def parse_angle(text):
    """'5h 30m 15s' in hours or '-8d 12m' in degrees, as a number"""
    match = ANGLE.match(text.strip())
    if not match:
        raise ValueError(f"not an angle: {text}")
    sign, whole, minutes, seconds = match.groups()
    value = int(whole) + int(minutes) / 60 + float(seconds or 0) / 3600
    if sign = "-":
        return -value
    return value


class Star:
    def __init__(self, name, hours, degrees, magnitude):
        if not (0 <= hours < 24 and -90 <= degrees <= 90):
            raise ValueError(f"{name} is not in the sky")
        self.name = name
        self.hours = hours
        self.degrees = degrees
        self.magnitude = magnitude

    @classmethod
    def parse(cls, line):
        """'Rigel; 5h 14m 32s; -8d 12m; 0.13'"""
        name, hours, degrees, magnitude = (part.strip() for part in line.split(";"))
        return cls(name, parse_angle(hours), parse_angle(degrees), float(magnitude))

    def brighter_than(self, other):
        """How many times; five magnitudes are a factor of a hundred."""
        return 100 ** ((other.magnitude - self.magnitude) / 5)

    def distance(self, other):
        """The angle between two stars in degrees."""
        a, b = math.radians(self.degrees), math.radians(other.degrees)
        turn = math.radians(15 * (self.hours - other.hours))
        cosine = math.sin(a) * math.sin(b) + math.cos(a) * math.cos(b) * math.cos(turn)
        return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))

    def highest(self, latitude):
        """Degrees above the horizon when it stands highest."""
        return 90 - abs(latitude - self.degrees)


class Catalogue:
    def __init__(self, stars):
        self.stars = list(stars)

    @classmethod
    def parse(cls, text):
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        return cls(Star.parse(line) for line in lines)

    def find(self, name):
        for star in self.stars:
            if star.name.lower() == name.lower():
                return star
        raise KeyError(name)

    def brightest(self, count=3):
        return [star.name for star in sorted(self.stars, key=lambda star: star.magnitude)[:count]]

    def visible(self, latitude, faintest=6.0, above=10):
        """Names of stars that ever stand so many degrees above the horizon."""
        return sorted(s.name for s in self.stars if s.magnitude <= faintest and s.highest(latitude) >= above)

    def around(self, name, degrees):
        """Other stars within an angle, nearest first."""
        centre = self.find(name)
        near = [(centre.distance(star), star.name) for star in self.stars if star is not centre]
        return [other for angle, other in sorted(near) if angle <= degrees]
