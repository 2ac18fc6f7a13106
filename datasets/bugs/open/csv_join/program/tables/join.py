"""Join two tables on a column that both have."""


def index_by(rows, column):
    index = {}
    for row in rows:
        index.setdefault(row[column], []).append(row)
    return index


def merge(left, right):
    merged = dict(left)
    for name, value in right.items():
        if name in merged and merged[name] != value:
            name = name + "_2"
        merged[name] = value
    return merged


def inner_join(left, right, column):
    index = index_by(right, column)
    joined = []
    for row in left:
        for match in index.get(row[column], []):
            joined.append(merge(row, match))
    return joined


def left_join(left, right, column):
    index = index_by(right, column)
    empty = {name: "" for name in right[0]} if right else {}
    joined = []
    for row in left:
        matches = index.get(row[column], [])
        for match in matches:
            joined.append(merge(row, match))
        if not matches:
            joined.append({**empty, **match})
    return joined
