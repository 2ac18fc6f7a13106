"""Print a shop receipt. All amounts are whole cents."""

WIDTH = 32


class Receipt:
    def __init__(self, shop, tax_percent=20):
        self.shop = shop
        self.tax_percent = tax_percent
        self.lines = []
        self.coupon = 0

    def add(self, label, unit_price, quantity=1):
        if quantity < 1:
            raise ValueError("quantity must be at least 1")
        self.lines.append((label, unit_price, quantity))

    def apply_coupon(self, cents):
        self.coupon = min(cents, self.subtotal())

    def subtotal(self):
        return sum(price * quantity for _, price, quantity in self.lines)

    def taxable(self):
        return self.subtotal() + self.coupon

    def tax(self):
        return (self.taxable() * self.tax_percent + 50) // 100

    def total(self):
        return self.taxable() + self.tax()

    def render(self):
        rows = [self.shop.center(WIDTH).rstrip()]
        for label, price, quantity in self.lines:
            name = label if quantity == 1 else f"{quantity} x {label}"
            rows.append(row(name, price * quantity))
        if self.coupon:
            rows.append(row("Coupon", -self.coupon))
        rows.append(row(f"Tax {self.tax_percent}%", self.tax()))
        rows.append("-" * WIDTH)
        rows.append(row("Total", self.total()))
        return "\n".join(rows)


def money(cents):
    sign = "-" if cents < 0 else ""
    cents = abs(cents)
    return f"{sign}{cents // 100}.{cents % 100:02d}"


def row(label, cents):
    amount = money(cents)
    return label.ljust(WIDTH - len(amount)) + amount
