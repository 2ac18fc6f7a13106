def merge(one, other):
    result = list(one)
    for number in other:
        for i in range(len(result)):
            if number < result[i]:
                result.insert(i, number)
                break
    return result


def second_largest(numbers):
    different = sorted(set(numbers))
    if len(different) == 1:
        return None
    return different[1]
