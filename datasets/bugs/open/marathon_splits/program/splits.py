"""Times of a long run: splits per kilometre, pace and the fastest stretch."""


def parse_time(text):
    """'1:02:03' or '4:05' to seconds."""
    seconds = 0
    for part in text.split(":"):
        seconds = seconds * 60 + int(part)
    return seconds


def show_time(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{seconds:02d}"
    return f"{minutes}:{seconds:02d}"


class Run:
    def __init__(self, marks):
        """marks: (kilometre, clock since the start), in order"""
        self.marks = [(float(km), parse_time(clock)) for km, clock in marks]
        for (km, time), (next_km, next_time) in zip(self.marks, self.marks[1:]):
            if next_km <= km or next_time <= time:
                raise ValueError("marks must go forward")

    @property
    def distance(self):
        return self.marks[-1][0] if self.marks else 0.0

    @property
    def time(self):
        return self.marks[-1][1] if self.marks else 0

    def pace(self):
        if not self.marks:
            raise ValueError("no marks")
        return self.time / self.distance

    def sections(self):
        """(from, to, seconds per kilometre) between the start and each mark."""
        rows = []
        last_km, last_time = self.marks[0]
        for km, time in self.marks:
            rows.append((last_km, km, (time - last_time) / (km - last_km)))
            last_km, last_time = km, time
        return rows

    def fastest(self):
        """(from, to) of the fastest section; the earlier one when equal."""
        best = None
        best_pace = float("inf")
        for start, end, pace in self.sections():
            if pace < best_pace:
                best = (start, end)
                best_pace = pace
        return best

    def table(self):
        return [f"{a:g}-{b:g} km {show_time(pace)}" for a, b, pace in self.sections()]
