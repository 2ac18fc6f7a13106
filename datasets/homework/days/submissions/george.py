def is_leap(year):
    if year % 4 == 0:
        if year % 100 == 0:
            if year % 400 == 0:
                return True
        return True
    return False


def days_in_month(year, month):
    if month <= 0 or month >= 13:
        raise ValueError("bad month")
    if month in (1, 3, 5, 7, 8, 10, 12):
        return 31
    if month in (4, 6, 9, 11):
        return 30
    if is_leap(year):
        return 29
    return 28
