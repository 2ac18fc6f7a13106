from query import Query, Table


def make():
    table = Table("a", "b")
    for a, b in [(3, "x"), (1, "y"), (2, "x"), (1, "x")]:
        table.insert(a, b)
    return table


def test_every_step_can_be_followed():
    assert Query(make()).sort("a").sort("b").where(b="x").take(2).select("a").all() == [(1,), (2,)]


def test_steps_give_the_same_query():
    query = Query(make())
    for step in (query.where(a__lt=9), query.sort("a"), query.take(9), query.select("a")):
        assert step is query


def test_sorting_without_columns():
    assert Query(make()).sort().first() == (3, "x")
