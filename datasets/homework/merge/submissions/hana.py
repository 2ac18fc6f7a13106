def merge(one, other):
    result = one + other
    for i in range(len(result)):
        for j in range(len(result) - 1):
            if result[j] < result[j + 1]:
                result[j], result[j + 1] = result[j + 1], result[j]
    return result


def second_largest(numbers):
    biggest = max(numbers)
    rest = [n for n in numbers if n != biggest]
    return max(rest)
