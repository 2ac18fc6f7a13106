def is_leap(year):
    if year % 4 == 0 or year % 400 == 0 and year % 100 != 0:
        return True
    else:
        return False


def days_in_month(year, month):
    if month in [1, 3, 5, 7, 8, 10, 12]:
        days = 31
    elif month in [4, 6, 9, 11]:
        days = 30
    elif month == 2:
        days = 28
        if is_leap(year):
            days = 29
    else:
        raise ValueError("month")
    return days
