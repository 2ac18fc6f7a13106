def is_leap(year):
    return (year % 4 == 0 and year % 100 != 0) or year % 400 == 0


def days_in_month(year, month):
    if month < 1 or month > 12:
        raise ValueError
    if month == 2 and is_leap(year):
        return 29
    elif month == 2:
        return 28
    elif month % 2 == 1:
        return 31
    else:
        return 30
