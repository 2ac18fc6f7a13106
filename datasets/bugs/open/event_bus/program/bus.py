"""Deliver events to handlers by topic. Topics have parts: 'order.paid' is also heard by 'order.*'."""

from collections import deque
from dataclasses import dataclass
from typing import Any, Callable


@dataclass(frozen=True)
class Subscription:
    pattern: str
    handler: Callable
    priority: int = 0
    once: bool = False

    def wants(self, topic):
        if self.pattern == topic or self.pattern == "*":
            return True
        return self.pattern.endswith(".*") and topic.startswith(self.pattern[:-1])


@dataclass(frozen=True)
class Event:
    topic: str
    payload: Any = None


class Bus:
    def __init__(self):
        self.subscriptions = []
        self.waiting = deque()
        self.failures = []

    def subscribe(self, pattern, handler, priority=0, once=False):
        subscription = Subscription(pattern, handler, priority, once)
        self.subscriptions.append(subscription)
        return subscription

    def unsubscribe(self, subscription):
        if subscription in self.subscriptions:
            self.subscriptions.remove(subscription)

    def publish(self, topic, payload=None):
        self.waiting.append(Event(topic, payload))

    def deliver(self, limit=100):
        """Handle waiting events, oldest first; handlers may publish more. Returns how many."""
        count = 0
        while self.waiting and count < limit:
            self._handle(self.waiting.pop())
            count += 1
        return count

    def _handle(self, event):
        interested = [s for s in self.subscriptions if s.wants(event.topic)]
        for subscription in sorted(interested, key=lambda s: -s.priority):
            if subscription.once:
                self.unsubscribe(subscription)
            try:
                subscription.handler(event)
            except Exception as error:
                self.failures.append((event, error))
