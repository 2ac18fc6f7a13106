def merge(one, other):
    one.extend(other)
    one.sort()
    return one


def second_largest(numbers):
    numbers = sorted(set(numbers))
    if len(numbers) < 2:
        return None
    return numbers[-2]
