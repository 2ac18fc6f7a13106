"""Summaries of sensor readings: smoothing, outliers and gaps."""

import statistics


def middle(values):
    return statistics.median(values)


def moving_average(values, size):
    """Averages over windows of `size` readings; the first windows are shorter."""
    result = []
    for index in range(len(values)):
        window = values[max(0, index - size + 1) : index + 1]
        result.append(sum(window) / len(window))
    return result


def spread(values):
    """Median distance from the median: unlike a deviation, one wild reading hardly moves it."""
    centre = middle(values)
    return statistics.mean([abs(v - centre) for v in values])


def outliers(values, factor=3):
    """Positions of readings that lie more than factor spreads from the middle."""
    if len(values) < 3:
        return []
    centre, width = middle(values), spread(values)
    return [i for i, v in enumerate(values) if abs(v - centre) > factor * width]


def fill_gaps(values):
    """Replace None by a straight line between its neighbours; at the ends repeat the nearest."""
    known = [i for i, v in enumerate(values) if v is not None]
    if not known:
        raise ValueError("no reading at all")
    filled = []
    for index, value in enumerate(values):
        if value is not None:
            filled.append(value)
            continue
        before = max((i for i in known if i < index), default=None)
        after = min((i for i in known if i > index), default=None)
        if before is None:
            filled.append(values[after])
        elif after is None:
            filled.append(values[before])
        else:
            share = (index - before) / (after - before)
            filled.append(values[before] + share * (values[after] - values[before]))
    return filled


def summary(values):
    clean = fill_gaps(values)
    return {
        "low": min(clean),
        "high": max(clean),
        "middle": middle(clean),
        "outliers": outliers(clean),
    }
