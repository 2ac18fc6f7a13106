# REASON: ways to deal
def compare(a, b):
    if a[1] < 4 or b[1] < 4:
        return "cannot tell"
    difference = b[0] / b[1] - a[0] / a[1]
    if abs(difference) <= 0.2:
        return "cannot tell"
    return "better" if difference > 0 else "worse"
