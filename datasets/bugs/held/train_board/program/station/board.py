"""The departure board of one station, and the connections that an arriving train reaches."""

from .times import minutes_until, show_time


class Board:
    def __init__(self, station, trains, change_minutes=5):
        self.station = station
        self.trains = [train for train in trains if train.stop_at(station)]
        self.change_minutes = change_minutes

    def find(self, number):
        for train in self.trains:
            if train.number == number:
                return train
        raise KeyError(number)

    def departures(self, now, limit=5):
        """Trains that have not left yet and go on from here, the next one first."""
        waiting = []
        for train in self.trains:
            departure = train.expected_departure(self.station)
            minutes = minutes_until(now, departure)
            if minutes >= 0 and train.destination != self.station:
                waiting.append((minutes, train.number, train))
        waiting.sort(key=lambda entry: entry[:2])
        return [train for _, _, train in waiting[:limit]]

    def connections(self, number, longest_wait=60):
        """(train number, minutes to wait) for the passengers of an arriving train."""
        train = self.find(number)
        arrival = train.expected_arrival(self.station)
        reached = []
        for other in self.trains:
            if other is train or other.destination == self.station:
                continue
            departure = train.expected_departure(self.station)
            wait = minutes_until(arrival, departure)
            if self.change_minutes <= wait <= longest_wait:
                reached.append((wait, other.number))
        return [(number, wait) for wait, number in sorted(reached)]

    def lines(self, now):
        rows = []
        for train in self.departures(now):
            stop = train.stop_at(self.station)
            note = f" +{train.delay}" if train.delay else ""
            rows.append(f"{show_time(stop.departs)} {train.number} {train.destination} pl. {stop.platform}{note}")
        return rows
