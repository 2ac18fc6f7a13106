"""Bookings of several rooms on one day."""

from .slots import Slot

OPEN, CLOSE = 8 * 60, 18 * 60


class Conflict(Exception):
    pass


class RoomPlan:
    def __init__(self, seats):
        """seats: room name -> number of seats"""
        self.seats = dict(seats)
        self.bookings = {room: [] for room in seats}

    def book(self, room, slot, people):
        if people > self.seats[room]:
            raise Conflict(f"{room} has {self.seats[room]} seats")
        if slot.start < OPEN or slot.end > CLOSE:
            raise Conflict("the house is closed")
        for taken in self.bookings[room]:
            if taken.overlaps(slot):
                raise Conflict(f"{room} is taken {taken}")
        self.bookings[room].append(slot)
        self.bookings[room].sort()

    def free_slots(self, room):
        free = []
        start = OPEN
        for taken in self.bookings[room]:
            if taken.start > start:
                free.append(Slot(start, taken.start))
            start = taken.end
        if start < CLOSE:
            free.append(Slot(start, CLOSE))
        return free

    def first_fit(self, length, people):
        """The earliest (slot, room), the smaller room first; None when nothing fits."""
        options = []
        for room, seats in self.seats.items():
            if seats < people:
                continue
            for free in self.free_slots(room):
                if free.length >= length:
                    options.append((free.start, seats, room))
                    break
        if not options:
            return None
        start, _, room = min(options)
        return Slot(start, start + length), room

    def load(self):
        """Share of the opening hours that is booked, by room."""
        day = CLOSE - OPEN
        return {room: sum(s.length for s in slots) / day for room, slots in self.bookings.items()}
