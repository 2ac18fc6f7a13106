"""The fuse box of a house: which circuit carries what, and what is too much for it."""

VOLTS = 230
RESISTIVITY = 0.0175  # of copper: ohm for a metre of one square millimetre
STANDARD_FUSES = (6, 10, 13, 16, 20, 25, 32)
STANDARD_CABLES = (1.5, 2.5, 4, 6, 10)


class Circuit:
    def __init__(self, name, fuse, metres, square_mm=1.5):
        if fuse not in STANDARD_FUSES:
            raise ValueError(f"no such fuse: {fuse} A")
        self.name = name
        self.fuse = fuse
        self.metres = metres
        self.square_mm = square_mm
        self.devices = {}

    def plug_in(self, device, watts):
        if watts < 0:
            raise ValueError("a device does not make power")
        self.devices[device] = watts

    def unplug(self, device):
        self.devices.pop(device, None)

    @property
    def watts(self):
        return sum(self.devices.values())

    @property
    def amperes(self):
        return self.watts / VOLTS

    def overloaded(self):
        return self.amperes > self.fuse

    def spare_watts(self):
        return max(0, self.fuse * VOLTS - self.watts)

    def voltage_drop(self):
        """Volts that are lost in the cable, there and back."""
        resistance = 2 * self.metres * RESISTIVITY * self.square_mm
        return self.amperes * resistance

    def cable_is_fine(self, percent=3):
        return self.voltage_drop() <= VOLTS * percent / 100

    def cable_needed(self, percent=3):
        """The thinnest cable that is fine for what is plugged in, or None."""
        kept = self.square_mm
        try:
            for square_mm in STANDARD_CABLES:
                self.square_mm = square_mm
                if self.cable_is_fine(percent):
                    return square_mm
            return None
        finally:
            self.square_mm = kept


class FuseBox:
    def __init__(self, main_fuse, circuits):
        self.main_fuse = main_fuse
        self.circuits = {circuit.name: circuit for circuit in circuits}

    def load(self):
        return sum(circuit.amperes for circuit in self.circuits.values())

    def trips(self):
        """Names of the fuses that blow; 'main' for the one of the house."""
        blown = [name for name, circuit in self.circuits.items() if circuit.overloaded()]
        if self.load() > self.main_fuse:
            blown.append("main")
        return blown

    def best_circuit(self, watts):
        """The circuit with most power to spare that can take a device, or None."""
        fitting = [circuit for circuit in self.circuits.values() if circuit.spare_watts() >= watts]
        return max(fitting, key=Circuit.spare_watts).name if fitting else None
