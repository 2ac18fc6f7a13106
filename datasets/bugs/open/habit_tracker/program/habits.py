"""Keep track of daily habits: streaks, gaps and a month as a row of marks."""

from datetime import date, timedelta

DAY = timedelta(days=1)


class Habit:
    def __init__(self, name, days=()):
        self.name = name
        self.days = set(days)

    def mark(self, day):
        self.days.add(day)

    def unmark(self, day):
        self.days.discard(day)

    def current_streak(self, today):
        """Days in a row up to today; a day that is not over yet does not break it."""
        day = today if today in self.days else today - DAY
        count = 1
        while day in self.days:
            count += 1
            day -= DAY
        return count

    def best_streak(self):
        best = run = 0
        previous = None
        for day in sorted(self.days):
            run = run + 1 if previous is not None and day - previous == DAY else 1
            best = max(best, run)
            previous = day
        return best

    def gaps(self):
        """(first, last) missing days between marked ones."""
        marked = sorted(self.days)
        return [(a + DAY, b - DAY) for a, b in zip(marked, marked[1:]) if b - a > DAY]

    def month(self, year, month):
        day = date(year, month, 1)
        marks = ""
        while day.month == month:
            marks += "x" if day in self.days else "."
            day += DAY
        return marks


def ranking(habits, today):
    return sorted(habits, key=lambda h: (-h.current_streak(today), -len(h.days), h.name))
