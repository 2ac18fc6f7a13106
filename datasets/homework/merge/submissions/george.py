def merge(one, other):
    return sorted(one + other)


def second_largest(numbers):
    largest = 0
    second = 0
    for n in numbers:
        if n > largest:
            second = largest
            largest = n
        elif n > second and n < largest:
            second = n
    return second
