def merge(one, other):
    result = []
    i = 0
    j = 0
    while i < len(one) and j < len(other):
        if one[i] < other[j]:
            result.append(one[i])
            i += 1
        else:
            result.append(other[j])
            j += 1
    return result


def second_largest(numbers):
    different = sorted(set(numbers))
    if len(different) < 2:
        return None
    return different[-2]
