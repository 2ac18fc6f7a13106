def is_leap(year):
    return year % 4 == 0 and year % 100 != 0


def days_in_month(year, month):
    lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if month < 1 or month > 12:
        raise ValueError("wrong month")
    if month == 2 and is_leap(year):
        return 29
    return lengths[month - 1]
