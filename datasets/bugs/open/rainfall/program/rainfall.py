"""Rain gauge readings: monthly sums, wet spells and the driest month."""

MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def parse(text):
    """Lines of 'YYYY-MM-DD millimetres'; '-' is a missing reading, 'T' a trace of rain."""
    readings = []
    for line in text.splitlines():
        if not line.strip():
            continue
        day, value = line.split()
        if value == "-":
            continue
        amount = 0.0 if value == "T" else float(value)
        if amount < 0:
            raise ValueError(f"negative rain on {day}")
        readings.append((day, amount))
    return readings


def by_month(readings):
    """Millimetres by 'YYYY-MM', in order."""
    sums = {}
    for day, amount in sorted(readings):
        month = day[:7]
        sums[month] = round(sums.get(month, 0.0) + amount, 1)
    return sums


def month_name(month):
    return f"{MONTHS[int(month[5:7]) - 1]} {month[:4]}"


def driest(readings):
    sums = by_month(readings)
    if not sums:
        return None
    return month_name(min(sums, key=lambda month: (sums[month], month)))


def spells(readings, threshold=1.0):
    """(first day, readings, millimetres) of each run of wet readings."""
    found = []
    start, count, total = None, 0, 0.0
    for day, amount in sorted(readings):
        if amount >= threshold:
            if start is None:
                start, count, total = day, 0, 0.0
            count += 1
            total = amount
        elif start is not None:
            found.append((start, count, round(total, 1)))
            start = None
    if start is not None:
        found.append((start, count, round(total, 1)))
    return found


def wettest_spell(readings):
    return max(spells(readings), key=lambda spell: spell[2], default=None)


def bars(readings, per_mark=10):
    lines = []
    for month, amount in by_month(readings).items():
        lines.append(f"{month_name(month)} {'*' * round(amount / per_mark)}".rstrip())
    return "\n".join(lines)
