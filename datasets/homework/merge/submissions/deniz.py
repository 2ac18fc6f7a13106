def merge(one, other):
    result = []
    while one and other:
        if one[0] < other[0]:
            result.append(one.pop(0))
        else:
            result.append(other.pop(0))
    return result + one + other


def second_largest(numbers):
    numbers = list(set(numbers))
    numbers.sort()
    return numbers[-2] if len(numbers) > 1 else None
