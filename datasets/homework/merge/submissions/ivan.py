def merge(one, other):
    result = []
    i = j = 0
    while i < len(one) and j < len(other):
        if one[i] < other[j]:
            result.append(one[i])
            i += 1
        elif one[i] > other[j]:
            result.append(other[j])
            j += 1
    result += one[i:]
    result += other[j:]
    return result


def second_largest(numbers):
    largest = None
    second = None
    for n in numbers:
        if largest is None or n > largest:
            largest = n
        elif n != largest and (second is None or n > second):
            second = n
    return second
