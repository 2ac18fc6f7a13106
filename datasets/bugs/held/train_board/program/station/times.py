"""Times of day as minutes since midnight, also for trains that run past it."""

DAY = 24 * 60


def parse_time(text):
    hours, minutes = (int(part) for part in text.split(":"))
    if not (0 <= hours < 24 and 0 <= minutes < 60):
        raise ValueError(f"not a time of day: {text}")
    return hours * 60 + minutes


def show_time(minutes):
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def minutes_until(now, then):
    """Minutes from now until then; up to half a day ago counts as past and is negative."""
    return (then - now + DAY // 2) % DAY - DAY // 2
