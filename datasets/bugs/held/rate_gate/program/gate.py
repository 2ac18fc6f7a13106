"""Let every client ask only so often: a bucket of tokens that fills up again with time."""

import time


class Bucket:
    def __init__(self, capacity, per_second, now):
        self.capacity = capacity
        self.per_second = per_second
        self.filled_at = now
        self.tokens = 0.0

    def fill(self, now):
        passed = max(0.0, now - self.filled_at)
        self.tokens = min(self.capacity, self.tokens + passed * self.per_second)
        self.filled_at = now

    def take(self, cost):
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True

    def wait_for(self, cost):
        """Seconds until a request of a cost may pass; None when it never may."""
        if cost > self.capacity:
            return None
        return max(0.0, (cost - self.tokens) / self.per_second)

    @property
    def full(self):
        return self.tokens >= self.capacity


class Gate:
    def __init__(self, capacity, per_second, clock=time.monotonic):
        if capacity <= 0 or per_second <= 0:
            raise ValueError("capacity and rate are positive")
        self.capacity = capacity
        self.per_second = per_second
        self.clock = clock
        self.buckets = {}
        self.refused = {}

    def bucket(self, client):
        now = self.clock()
        if client not in self.buckets:
            self.buckets[client] = Bucket(self.capacity, self.per_second, now)
        bucket = self.buckets[client]
        bucket.fill(now)
        return bucket

    def ask(self, client, cost=1):
        """True when a request may pass."""
        if self.bucket(client).take(cost):
            return True
        self.refused[client] = self.refused.get(client, 0) + 1
        return False

    def headers(self, client, cost=1):
        """What to tell a client about its limit."""
        bucket = self.bucket(client)
        headers = {"limit": str(self.capacity), "remaining": str(int(bucket.tokens))}
        wait = bucket.wait_for(cost)
        if wait:
            headers["retry-after"] = str(-int(-wait // 1))
        return headers

    def forget_idle(self):
        """Drop the buckets that are full again: a new one would be the same."""
        for client in list(self.buckets):
            if self.bucket(client).full:
                del self.buckets[client]
        return len(self.buckets)
