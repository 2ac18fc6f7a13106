"""Tables without a fault, as they come in practice: skewed, sparse, with optional fields. Deterministic."""

from __future__ import annotations

import datetime
import random

from bench.faults import Table

CITIES = {
    "München": ("Germany", "DE"), "Köln": ("Germany", "DE"), "Hamburg": ("Germany", "DE"), "Zürich": ("Switzerland", "CH"),
    "Genève": ("Switzerland", "CH"), "Málaga": ("Spain", "ES"), "Madrid": ("Spain", "ES"), "Bilbao": ("Spain", "ES"),
    "Lyon": ("France", "FR"), "Besançon": ("France", "FR"), "Napoli": ("Italy", "IT"), "Torino": ("Italy", "IT"),
}  # fmt: skip
FIRST = [
    "Anna",
    "Björn",
    "Carlos",
    "Daniela",
    "Émile",
    "Fatima",
    "Georg",
    "Hannah",
    "Ibrahim",
    "Jana",
    "Karl",
    "Lucía",
    "Matteo",
    "Nora",
    "Olga",
    "Pablo",
    "René",
    "Sofia",
    "Théo",
    "Ursula",
]
LAST = [
    "Müller",
    "Rossi",
    "García",
    "Dubois",
    "Schmidt",
    "Bianchi",
    "López",
    "Martin",
    "Weber",
    "Ferrari",
    "Núñez",
    "Bernard",
    "Fischer",
    "Romano",
    "Pérez",
    "Moreau",
]
START = datetime.date(2021, 1, 4)


def day(draw: random.Random, span: int = 1200) -> datetime.date:
    return START + datetime.timedelta(days=draw.randrange(span))


def orders(rows: int = 1500) -> Table:
    """An online shop: prices are lognormal, a discount is rare, delivery comes after the order, notes are optional."""
    draw, table = random.Random(11), []
    for number in range(rows):
        ordered, quantity = day(draw), draw.choice((1, 1, 1, 2, 2, 3, 5))
        price = round(draw.lognormvariate(3.2, 0.8), 2)
        city = draw.choice(list(CITIES))
        table.append({
            "order_id": f"O-{number + 10001}", "customer": f"{draw.choice(FIRST)} {draw.choice(LAST)}", "city": city,
            "country": CITIES[city][0], "country_code": CITIES[city][1], "ordered": ordered.isoformat(),
            "delivered": (ordered + datetime.timedelta(days=draw.choice((1, 2, 2, 3, 4, 6, 9)))).isoformat(),
            "quantity": str(quantity), "price": f"{price:.2f}", "total": f"{round(quantity * price, 2):.2f}",
            "discount": draw.choice((None, None, None, "5", "10")), "status": draw.choice(("delivered",) * 8 + ("returned",)),
        })  # fmt: skip
    return table


def employees(rows: int = 900) -> Table:
    """A staff list: salaries by grade, managers among the staff, leaving dates for few."""
    draw, table = random.Random(12), []
    departments = {"Sales": "SAL", "Research": "RES", "Finance": "FIN", "Operations": "OPS", "Legal": "LEG"}
    for number in range(rows):
        department, grade = draw.choice(list(departments)), draw.choice((1, 1, 2, 2, 2, 3, 3, 4, 5))
        hired = day(draw, 3000) - datetime.timedelta(days=2500)
        first, last = draw.choice(FIRST), draw.choice(LAST)
        plain = f"{first[0]}.{last}{number}".lower().encode("ascii", "ignore").decode()
        table.append({
            "employee_id": f"E{number:05d}", "first_name": first, "last_name": last, "email": f"{plain}@example.org",
            "department": department, "department_code": departments[department], "grade": str(grade),
            "salary": str(int(draw.gauss(30000 + 12000 * grade, 2500))), "hired": hired.isoformat(),
            "left": (hired + datetime.timedelta(days=draw.randrange(200, 1500))).isoformat() if draw.random() < 0.15 else None,
            "phone": f"+49 {draw.randrange(100, 999)} {draw.randrange(1000000, 9999999)}",
        })  # fmt: skip
    return table


def sensors(rows: int = 2000) -> Table:
    """Readings of instruments: seasons, noise, an occasional zero, a status that is nearly always the same."""
    import math

    draw, table = random.Random(13), []
    for number in range(rows):
        at = datetime.datetime(2024, 1, 1) + datetime.timedelta(hours=4 * number)
        season = math.sin(2 * math.pi * at.timetuple().tm_yday / 365)
        table.append({
            "reading": str(number + 1), "sensor": f"S-{draw.randrange(1, 13):02d}", "taken": at.isoformat(" "),
            "temperature": f"{12 + 9 * season + draw.gauss(0, 3):.1f}", "humidity": f"{min(100, max(12, draw.gauss(65, 14))):.0f}",
            "pressure": f"{draw.gauss(1013, 8):.1f}", "rain": f"{max(0.0, draw.expovariate(0.7) - 1.5):.1f}",
            "battery": f"{draw.uniform(3.1, 4.2):.2f}", "status": "ok" if draw.random() < 0.97 else draw.choice(("low", "service")),
        })  # fmt: skip
    return table


WORDS = [
    "The",
    "A",
    "Silent",
    "River",
    "House",
    "of",
    "Winter",
    "Letters",
    "Garden",
    "Night",
    "Stone",
    "Journey",
    "Last",
    "Summer",
    "Glass",
    "Mountain",
    "Sea",
    "Children",
]


def books(rows: int = 700) -> Table:
    """A library's list: long titles, years over four centuries, an optional series."""
    draw, table = random.Random(14), []
    for number in range(rows):
        year = int(2022 - min(380, draw.expovariate(1 / 25)))
        table.append({
            "isbn": f"978{draw.randrange(10**9, 10**10 - 1)}", "title": " ".join(draw.sample(WORDS, draw.randrange(2, 6))),
            "author": f"{draw.choice(LAST)}, {draw.choice(FIRST)}", "year": str(year), "pages": str(int(draw.lognormvariate(5.6, 0.45))),
            "language": draw.choice(("English",) * 12 + ("German",) * 4 + ("French", "Spanish")),
            "series": f"Series {draw.randrange(1, 40)}" if draw.random() < 0.3 else None,
            "shelf": f"{draw.choice('ABCDEF')}{draw.randrange(1, 60)}", "number": str(number + 1),
        })  # fmt: skip
    return table


def accounts(rows: int = 1200) -> Table:
    """Bank transfers: amounts over five orders of magnitude, both signs, references that nobody fills in alike."""
    draw, table = random.Random(15), []
    for number in range(rows):
        amount = round(draw.lognormvariate(4.5, 1.5) * draw.choice((1, -1)), 2)
        table.append({
            "transfer": f"{number:06d}", "booked": day(draw, 700).isoformat(), "account": f"DE{draw.randrange(10**17, 10**18)}",
            "amount": f"{amount:.2f}", "currency": draw.choice(("EUR",) * 30 + ("CHF",) * 3 + ("USD",)),
            "kind": "debit" if amount < 0 else "credit",
            "reference": draw.choice(("Rent", "Invoice {n}", "inv. {n}", "Thank you", "salary", "Gift", "")).format(n=draw.randrange(1000, 9999)) or None,
        })  # fmt: skip
    return table


CLEAN = {"orders": orders, "employees": employees, "sensors": sensors, "books": books, "accounts": accounts}
