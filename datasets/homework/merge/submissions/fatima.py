def merge(one, other):
    result = []
    i, j = 0, 0
    while i < len(one) or j < len(other):
        if one[i] < other[j]:
            result.append(one[i])
            i += 1
        else:
            result.append(other[j])
            j += 1
    return result


def second_largest(numbers):
    rest = set(numbers)
    rest.remove(max(rest))
    return max(rest) if rest else None
