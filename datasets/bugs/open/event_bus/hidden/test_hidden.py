from bus import Bus


def test_first_in_first_out():
    bus = Bus()
    topics = []
    bus.subscribe("*", lambda event: topics.append(event.topic))
    for topic in "abcde":
        bus.publish(topic)
    bus.deliver()
    assert topics == list("abcde")


def test_published_by_a_handler_comes_last():
    bus = Bus()
    topics = []
    bus.subscribe("first", lambda event: bus.publish("third"))
    bus.subscribe("*", lambda event: topics.append(event.topic))
    bus.publish("first")
    bus.publish("second")
    assert bus.deliver() == 3
    assert topics == ["first", "second", "third"]


def test_limit_leaves_the_later_events():
    bus = Bus()
    for topic in "abc":
        bus.publish(topic)
    bus.deliver(limit=1)
    assert [event.topic for event in bus.waiting] == ["b", "c"]
