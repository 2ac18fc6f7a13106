"""Exposure for photographers: aperture, shutter time and film speed."""

import math

APERTURES = [1.4, 2, 2.8, 4, 5.6, 8, 11, 16, 22]
SHUTTERS = [1 / 1000, 1 / 500, 1 / 250, 1 / 125, 1 / 60, 1 / 30, 1 / 15, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8]


def exposure_value(aperture, shutter, iso=100):
    """Number of stops: one more for every halving of the light."""
    if aperture <= 0 or shutter <= 0 or iso <= 0:
        raise ValueError("aperture, shutter and speed are positive")
    return math.log(aperture**2 / shutter) - math.log2(iso / 100)


def nearest(values, wanted):
    """The marked value that is fewest stops away."""
    return min(values, key=lambda value: abs(math.log2(value / wanted)))


def shutter_for(ev, aperture, iso=100):
    """The shutter time as marked on the camera."""
    exact = aperture**2 / 2 ** (ev + math.log2(iso / 100))
    return nearest(SHUTTERS, exact)


def aperture_for(ev, shutter, iso=100):
    exact = math.sqrt(shutter * 2 ** (ev + math.log2(iso / 100)))
    return nearest(APERTURES, exact)


def show_shutter(shutter):
    if shutter >= 1:
        return f'{shutter:g}"'
    return f"1/{round(1 / shutter)}"


class Camera:
    def __init__(self, iso=100, longest_by_hand=1 / 60):
        self.iso = iso
        self.longest_by_hand = longest_by_hand

    def pairs(self, ev):
        """(aperture, shutter) for every aperture that has a shutter time to it."""
        found = []
        for aperture in APERTURES:
            shutter = shutter_for(ev, aperture, self.iso)
            if abs(exposure_value(aperture, shutter, self.iso) - ev) < 0.5:
                found.append((aperture, show_shutter(shutter)))
        return found

    def needs_tripod(self, ev, aperture):
        return shutter_for(ev, aperture, self.iso) > self.longest_by_hand


def bracket(aperture, shutter, stops=1):
    """Shutter times for a darker, a normal and a lighter picture."""
    return [show_shutter(nearest(SHUTTERS, shutter * 2**step)) for step in (-stops, 0, stops)]
