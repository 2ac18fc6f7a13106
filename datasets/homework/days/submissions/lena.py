def is_leap(year):
    if year % 400 == 0 or year % 4 == 0 and year % 100 != 0:
        return True


def days_in_month(year, month):
    if not 1 <= month <= 12:
        raise IndexError("month out of range")
    if month == 2:
        if is_leap(year) is True:
            return 29
        else:
            return 28
    elif month in (4, 6, 9, 11):
        return 30
    else:
        return 31
