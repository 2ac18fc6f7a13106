def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year, month):
    if month < 1 or month > 12:
        raise ValueError("month must be 1 to 12")
    if month == 2:
        return 28
    if month == 4 or 6 or 9 or 11:
        return 30
    return 31
