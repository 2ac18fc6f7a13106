import random


def share(numbers):
    total = 0
    for number in numbers:
        total = total + number
    return total / len(numbers)


def compare(a, b):
    if a[1] == 0:
        return "cannot tell"
    if b[1] == 0:
        return "cannot tell"
    if a[0] * b[1] == b[0] * a[1]:
        return "cannot tell"
    old = []
    for i in range(a[1]):
        if i < a[0]:
            old.append(1)
        else:
            old.append(0)
    new = []
    for i in range(b[1]):
        if i < b[0]:
            new.append(1)
        else:
            new.append(0)
    real_difference = share(new) - share(old)
    hat = random.Random(0)
    all_slips = old + new
    counter = 0
    for i in range(2000):
        hat.shuffle(all_slips)
        difference = share(all_slips[len(old) :]) - share(all_slips[: len(old)])
        if abs(difference) > abs(real_difference) - 0.000001:
            counter = counter + 1
    if counter > 2000 / 20:
        return "cannot tell"
    if real_difference > 0:
        return "better"
    return "worse"
