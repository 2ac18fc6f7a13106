"""Rows with named columns, held in memory."""


class Table:
    def __init__(self, *columns):
        self.columns = columns
        self.rows = []

    def insert(self, *values):
        if len(values) != len(self.columns):
            raise ValueError(f"expected {len(self.columns)} values")
        self.rows.append(dict(zip(self.columns, values)))
        return self

    def __len__(self):
        return len(self.rows)
