def merge(one, other):
    return (one + other).sort()


def second_largest(numbers):
    different = []
    for n in numbers:
        if n not in different:
            different.append(n)
    different.sort(reverse=True)
    if len(different) < 2:
        return None
    return different[-2]
