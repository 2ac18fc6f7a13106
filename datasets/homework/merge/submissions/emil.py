def merge(one, other):
    return sorted(set(one + other))


def second_largest(numbers):
    if len(numbers) < 2:
        return None
    numbers = sorted(numbers)
    return numbers[-2]
