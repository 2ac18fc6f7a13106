"""A heater with hysteresis in a house that loses warmth to the outside."""

from dataclasses import dataclass, field


@dataclass
class House:
    inside: float
    outside: float
    insulation: float = 0.1

    def step(self, heating):
        self.inside += heating - (self.inside - self.outside) * self.insulation


@dataclass
class Thermostat:
    target: float
    band: float = 1.0
    heating: bool = False
    switched: int = 0

    def update(self, temperature):
        """On at target - band and below, off at target + band and above, else unchanged."""
        wanted = self.heating
        if temperature <= self.target - self.band:
            wanted = True
        elif temperature > self.target + self.band:
            wanted = False
        if wanted != self.heating:
            self.heating = wanted
            self.switched += 1
        return self.heating


@dataclass
class Simulation:
    house: House
    thermostat: Thermostat
    power: float = 3.0
    history: list = field(default_factory=list)
    minutes_on: int = 0

    def run(self, minutes):
        for _ in range(minutes):
            on = self.thermostat.update(self.house.inside)
            self.house.step(self.power if on else 0.0)
            self.minutes_on += on
            self.history.append(round(self.house.inside, 3))
        return self.history

    def comfort(self):
        """Share of minutes within the band around the target."""
        low = self.thermostat.target - self.thermostat.band
        high = self.thermostat.target + self.thermostat.band
        if not self.history:
            return 0.0
        return sum(low <= t <= high for t in self.history) / len(self.history)
