"""A train and the stations at which it stops."""

from .times import parse_time


class Stop:
    def __init__(self, station, arrives, departs, platform):
        self.station = station
        self.arrives = parse_time(arrives)
        self.departs = parse_time(departs)
        self.platform = platform


class Train:
    def __init__(self, number, stops):
        self.number = number
        self.stops = stops
        self.delay = 0

    def stop_at(self, station):
        for stop in self.stops:
            if stop.station == station:
                return stop
        return None

    @property
    def destination(self):
        return self.stops[-1].station

    def stations_after(self, station):
        names = [stop.station for stop in self.stops]
        return names[names.index(station) + 1 :]

    def expected_arrival(self, station):
        return self.stop_at(station).arrives + self.delay

    def expected_departure(self, station):
        """A late train leaves a minute after it came in, but never before its time."""
        stop = self.stop_at(station)
        if not self.delay:
            return stop.departs
        return max(stop.departs, self.expected_arrival(station) + 1)
