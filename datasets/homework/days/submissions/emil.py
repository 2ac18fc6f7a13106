def is_leap(year):
    leap = False
    if year % 4 == 0:
        leap = True
    if year % 400 == 0:
        leap = True
    if year % 100 == 0:
        leap = False
    return leap


def days_in_month(year, month):
    if month > 12 or month < 1:
        raise ValueError("There is no such month")
    thirty = (4, 6, 9, 11)
    if month in thirty:
        return 30
    elif month == 2:
        return 28 + is_leap(year)
    return 31
