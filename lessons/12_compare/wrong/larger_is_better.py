# REASON: chance
def compare(a, b):
    if not (a[1] and b[1]) or a[0] / a[1] == b[0] / b[1]:
        return "cannot tell"
    return "better" if b[0] / b[1] > a[0] / a[1] else "worse"
