from tags import TagIndex


def test_all_equal():
    index = TagIndex()
    index.add("a", "x", "y")
    assert index.sizes(5, 9) == {"x": 5, "y": 5}


def test_adding_again():
    index = TagIndex()
    index.add("a", "x")
    index.add("a", "X", "y")
    assert index.articles == {"a": {"x", "y"}}
    assert index.related("x") == ["y"]
