"""A query that is put together step by step: Query(t).where(age=3).sort('name').take(5).all()"""

OPERATORS = {
    "lt": lambda a, b: a < b,
    "gt": lambda a, b: a > b,
    "ne": lambda a, b: a != b,
    "in": lambda a, b: a in b,
}


class Query:
    def __init__(self, table):
        self.table = table
        self.conditions = []
        self.order = []
        self.limit = None
        self.columns = table.columns

    def where(self, **conditions):
        """column=value or column__operator=value; all must hold."""
        for key, value in conditions.items():
            column, _, operator = key.partition("__")
            self._check(column)
            if operator and operator not in OPERATORS:
                raise ValueError(f"unknown operator: {operator}")
            self.conditions.append((column, operator, value))
        return self

    def sort(self, *columns):
        """Column names; a leading minus sorts downwards."""
        for name in columns:
            self._check(name.lstrip("-"))
            self.order.append(name)

    def take(self, count):
        self.limit = count
        return self

    def select(self, *columns):
        for name in columns:
            self._check(name)
        self.columns = columns
        return self

    def _check(self, column):
        if column not in self.table.columns:
            raise KeyError(column)

    def _matches(self, row):
        for column, operator, value in self.conditions:
            test = OPERATORS.get(operator, lambda a, b: a == b)
            if not test(row[column], value):
                return False
        return True

    def all(self):
        rows = [row for row in self.table.rows if self._matches(row)]
        for name in reversed(self.order):
            rows.sort(key=lambda row: row[name.lstrip("-")], reverse=name.startswith("-"))
        if self.limit is not None:
            rows = rows[: self.limit]
        return [tuple(row[column] for column in self.columns) for row in rows]

    def first(self):
        rows = self.take(1).all()
        return rows[0] if rows else None

    def count(self):
        return len(self.all())
