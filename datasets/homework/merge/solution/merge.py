def merge(one, other):
    """The numbers of two sorted lists as one sorted list."""
    result = []
    i = j = 0
    while i < len(one) and j < len(other):
        if one[i] <= other[j]:
            result.append(one[i])
            i += 1
        else:
            result.append(other[j])
            j += 1
    return result + one[i:] + other[j:]


def second_largest(numbers):
    """The largest but one of the different numbers, None when there is none."""
    largest = second = None
    for number in numbers:
        if largest is None or number > largest:
            second = largest
            largest = number
        elif number != largest and (second is None or number > second):
            second = number
    return second
