"""Working hours of a week from lines such as "Mon 08:30-12:15 13:00-17:00"."""

DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
DAILY_LIMIT = 10 * 60
WEEKLY_TARGET = 38 * 60 + 30


def to_minutes(clock):
    hours, minutes = clock.split(":")
    hours, minutes = int(hours), int(minutes)
    if not (0 <= hours <= 24 and 0 <= minutes < 60):
        raise ValueError(clock)
    return hours * 60 + minutes


def span_minutes(span):
    start, end = (to_minutes(part) for part in span.split("-"))
    if end < start:
        end += 12 * 60
    return end - start


def parse_sheet(text):
    """Minutes worked by day; a day may stand on several lines."""
    worked = {day: 0 for day in DAYS}
    for line in text.splitlines():
        if not line.strip():
            continue
        day, *spans = line.split()
        if day not in worked:
            raise ValueError(f"unknown day: {day}")
        worked[day] += sum(span_minutes(span) for span in spans)
    return worked


def overtime(worked):
    return sum(worked.values()) - WEEKLY_TARGET


def long_days(worked):
    return [day for day in DAYS if worked[day] > DAILY_LIMIT]


def show(minutes):
    sign = "-" if minutes < 0 else ""
    hours, rest = divmod(abs(minutes), 60)
    return f"{sign}{hours}:{rest:02d}"


def report(text):
    worked = parse_sheet(text)
    lines = [f"{day} {show(worked[day])}" for day in DAYS if worked[day]]
    lines.append(f"Total {show(sum(worked.values()))}")
    lines.append(f"Balance {show(overtime(worked))}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report("Mon 08:30-12:15 13:00-17:00\nTue 09:00-17:30"))
