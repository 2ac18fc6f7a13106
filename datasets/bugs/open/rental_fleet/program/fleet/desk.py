"""The rental desk: which vehicle is free when. Days are numbers, both ends included."""

from .vehicles import Rental


class NothingFree(Exception):
    pass


class Desk:
    def __init__(self, vehicles):
        self.vehicles = list(vehicles)
        self.rentals = []

    def is_free(self, vehicle, first, last):
        return all(
            rental.vehicle != vehicle or rental.last < first or last < rental.first for rental in self.rentals
        )

    def free(self, kind, first, last):
        return [v for v in self.vehicles if v.kind == kind and self.is_free(v, first, last)]

    def rent(self, customer, kind, first, last):
        if last < first:
            raise ValueError("a rental ends after it begins")
        free = self.free(kind, first, last)
        if not free:
            raise NothingFree(kind)
        vehicle = min(free, key=lambda v: (self.usage(v), v.plate))
        rental = Rental(customer, vehicle, first, last)
        self.rentals.append(rental)
        return rental

    def usage(self, vehicle):
        """Days for which a vehicle is rented; the least used is given out first."""
        return sum(rental.days for rental in self.rentals if rental.vehicle == vehicle)

    def extend(self, rental, last):
        """The same rental with a later last day, if the vehicle is free until then."""
        if last <= rental.last:
            raise ValueError("that is no extension")
        if not self.is_free(rental.vehicle, rental.last + 1, last):
            raise NothingFree(rental.vehicle.plate)
        longer = Rental(rental.customer, rental.vehicle, rental.last, last)
        self.rentals[self.rentals.index(rental)] = longer
        return longer

    def income(self, first, last):
        """From rentals that begin within a span of days."""
        return sum(rental.price() for rental in self.rentals if first <= rental.first <= last)
