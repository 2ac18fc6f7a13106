"""Parcel prices by weight band and destination zone.

Weights are grams; a band's limit is the heaviest parcel that still belongs to it.
"""

BANDS = [(500, 390), (2000, 590), (5000, 890), (10000, 1290)]
ZONES = {"home": 100, "neighbour": 150, "far": 260}
FREE_FROM = 7500


class TooHeavy(ValueError):
    pass


def band_price(grams):
    if grams <= 0:
        raise ValueError("a parcel weighs something")
    for limit, price in BANDS:
        if grams < limit:
            return price
    raise TooHeavy(f"{grams} g is above {BANDS[-1][0]} g")


def parcel_price(grams, zone="home"):
    if zone not in ZONES:
        raise KeyError(zone)
    return band_price(grams) * ZONES[zone] // 100


def order_shipping(parcels, goods_total, zone="home"):
    """Price of sending all parcels; free at home from FREE_FROM cents of goods."""
    if zone == "home" and goods_total >= FREE_FROM:
        return 0
    return sum(parcel_price(grams, zone) for grams in parcels)


def cheapest_split(grams):
    """One parcel, or two halves when that is cheaper or the only way."""
    half = (grams + 1) // 2
    options = []
    for parcels in ([grams], [half, grams - half]):
        try:
            options.append((sum(band_price(p) for p in parcels), parcels))
        except ValueError:
            continue
    if not options:
        raise TooHeavy("even two parcels are too heavy")
    return min(options)[1]
