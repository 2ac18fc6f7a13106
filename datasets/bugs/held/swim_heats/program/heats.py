"""Heats for a swimming meet: the fastest swim last and in the middle lanes."""


class Entry:
    def __init__(self, name, seconds=None):
        """seconds: best time so far, None for who has none"""
        self.name = name
        self.seconds = seconds

    @property
    def rank_key(self):
        return (self.seconds is None, self.seconds or 0, self.name)


def parse_time(text):
    """'1:02.50' or '58.90' in seconds; 'NT' is no time."""
    if text == "NT":
        return None
    minutes, _, seconds = text.rpartition(":")
    return round(60 * int(minutes or 0) + float(seconds), 2)


def show_time(seconds):
    if seconds is None:
        return "NT"
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes)}:{rest:05.2f}" if minutes else f"{rest:.2f}"


def lane_order(lanes):
    """Lanes from the best to the worst: the middle one, then right and left of it by turns."""
    middle = lanes // 2
    order = [middle]
    for step in range(1, lanes):
        for lane in (middle + step, middle - step):
            if 1 <= lane <= lanes:
                order.append(lane)
    return order


def heat_sizes(swimmers, lanes, smallest=3):
    """How many swim in each heat; the first one is the one that is not full, but never too small."""
    if swimmers == 0:
        return []
    full, rest = divmod(swimmers, lanes)
    sizes = ([rest] if rest else []) + [lanes] * full
    if rest and full and rest < smallest:
        missing = min(smallest, lanes) - rest
        sizes[0] += missing
        sizes[1] -= missing
    return sizes


def make_heats(entries, lanes):
    """A list of heats, slowest first; a heat is a dict from lane to entry."""
    ranked = sorted(entries, key=lambda entry: entry.rank_key, reverse=True)
    heats = []
    start = 0
    for size in heat_sizes(len(ranked), lanes):
        group = sorted(ranked[start : start + size], key=lambda entry: entry.rank_key)
        heats.append(dict(sorted(zip(lane_order(lanes), group))))
        start += size
    return heats


def start_list(heats):
    lines = []
    for number, heat in enumerate(heats, 1):
        lines.append(f"Heat {number}")
        lines += [f"  {lane} {entry.name} {show_time(entry.seconds)}" for lane, entry in heat.items()]
    return "\n".join(lines)
