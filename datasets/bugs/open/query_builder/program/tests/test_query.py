import pytest

from query import Query, Table


@pytest.fixture
def pets():
    table = Table("name", "kind", "age")
    return table.insert("Rex", "dog", 3).insert("Tom", "cat", 9).insert("Pip", "dog", 1).insert("Zoe", "cat", 3)


def test_everything(pets):
    assert Query(pets).count() == 4


def test_where(pets):
    assert Query(pets).where(kind="dog").count() == 2


def test_operators(pets):
    assert Query(pets).where(age__gt=2, kind__ne="dog").all() == [("Tom", "cat", 9), ("Zoe", "cat", 3)]
    assert Query(pets).where(name__in=["Pip", "Rex"]).count() == 2


def test_sort(pets):
    query = Query(pets)
    query.sort("age", "-name")
    assert [row[0] for row in query.all()] == ["Pip", "Zoe", "Rex", "Tom"]


def test_select(pets):
    assert Query(pets).where(age=9).select("name").all() == [("Tom",)]


def test_sorted_and_limited(pets):
    assert Query(pets).sort("-age").select("name").take(2).all() == [("Tom",), ("Rex",)]


def test_first(pets):
    assert Query(pets).where(kind="cat").first() == ("Tom", "cat", 9)
    assert Query(pets).where(kind="cow").first() is None


@pytest.mark.parametrize("column", ["colour", "-age"])
def test_unknown_column(pets, column):
    with pytest.raises(KeyError):
        Query(pets).select(column)


def test_wrong_number_of_values():
    with pytest.raises(ValueError):
        Table("a", "b").insert(1)
