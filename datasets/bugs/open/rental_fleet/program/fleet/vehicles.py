"""What can be rented, and at which price per day."""

from dataclasses import dataclass

DAILY = {"bike": 1500, "car": 4900, "van": 7900}


@dataclass(frozen=True)
class Vehicle:
    plate: str
    kind: str

    @property
    def daily(self):
        return DAILY[self.kind]


@dataclass(frozen=True)
class Rental:
    customer: str
    vehicle: Vehicle
    first: int
    last: int

    @property
    def days(self):
        return self.last - self.first + 1

    def price(self):
        """Cents; from the 7th day on a day costs 80 percent."""
        full = min(self.days, 6)
        reduced = self.days - full
        return full * self.vehicle.daily + reduced * self.vehicle.daily * 80 // 100
