from random import Random


def compare(a, b):
    (old_solved, old_tried), (new_solved, new_tried) = a, b
    if old_tried == 0 or new_tried == 0:
        return "cannot tell"
    dice = Random("a hat")
    slips = [1] * (old_solved + new_solved)
    slips += [0] * (old_tried + new_tried - len(slips))
    difference = new_solved / new_tried - old_solved / old_tried
    times = 0
    for _ in range(2000):
        dice.shuffle(slips)
        old, new = slips[:old_tried], slips[old_tried:]
        times += abs(sum(new) / new_tried - sum(old) / old_tried) > abs(difference) - 1e-12
    if times / 2000 > 1 / 20:
        return "cannot tell"
    return ("worse", "better")[difference > 0]
