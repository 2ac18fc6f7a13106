def is_leap(year):
    if year % 4 == 0:
        return True
    if year % 100 == 0:
        return False
    if year % 400 == 0:
        return True
    return False


def days_in_month(year, month):
    if month not in range(1, 13):
        raise ValueError("month")
    if month == 2:
        if is_leap(year):
            return 29
        return 28
    if month in [4, 6, 9, 11]:
        return 30
    return 31
