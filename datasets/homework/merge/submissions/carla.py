def merge(one, other):
    return sorted(one + other)


def second_largest(numbers):
    largest = numbers[0]
    second = numbers[0]
    for n in numbers:
        if n > largest:
            second = largest
            largest = n
        elif n > second and n != largest:
            second = n
    if second == largest:
        return None
    return second
