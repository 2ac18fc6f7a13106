from search import matches, parse, search

DOCS = [{"t": "a b c"}, {"t": "a b"}, {"t": "a"}, {"t": "c"}]


def found(text):
    return [doc["t"] for doc in search(text, DOCS)]


def test_more_words_find_less():
    assert found("a") == ["a b c", "a b", "a"]
    assert found("a b") == ["a b c", "a b"]
    assert found("a b c") == ["a b c"]


def test_excluded_words():
    assert found("a -b") == ["a"]
    assert found("a -c b") == ["a b"]


def test_last_word_matters():
    assert found("a zzz") == []
    assert found("a b -a") == []


def test_either_with_another():
    assert found("a OR c b") == ["a b c", "a b"]
    assert matches(parse(""), {}) is True
