def is_leap(year):
    """Every fourth year, but centuries only when they divide by 400."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year, month):
    """28 to 31; ValueError for a month that does not exist."""
    if month < 1 or month > 12:
        raise ValueError("no such month")
    if month == 2:
        return 29 if is_leap(year) else 28
    if month in (4, 6, 9, 11):
        return 30
    return 31
