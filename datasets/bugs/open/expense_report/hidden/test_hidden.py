from expenses.report import by_category, by_day, parse_items, refunded


def test_days_and_categories_agree():
    items = parse_items("a meals 1\na meals 2\nb meals 3\na bus 4\na bus 5 GBP\nb bus 6")
    totals = {}
    for day in by_day(items).values():
        for category, amount in day.items():
            totals[category] = totals.get(category, 0) + amount
    assert totals == by_category(items)


def test_several_unlimited_items_on_one_day():
    assert refunded(parse_items("a bus 4\na bus 5\na bus 6")) == 1500


def test_several_meals_below_the_limit():
    assert refunded(parse_items("a meals 10\na meals 10\na meals 10")) == 3000
    assert refunded(parse_items("a meals 30\na meals 30")) == 4000


def test_nothing():
    assert by_day([]) == {}
    assert refunded([]) == 0
