"""Jobs for a printer: urgent ones first, fair between people, pages counted against a quota."""

from dataclasses import dataclass


@dataclass
class Job:
    number: int
    owner: str
    pages: int
    urgent: bool = False


class QuotaExceeded(Exception):
    pass


class Printer:
    def __init__(self, quota=100):
        self.quota = quota
        self.waiting = []
        self.printed = {}
        self.last_owner = None
        self.next_number = 1

    def submit(self, owner, pages, urgent=False):
        planned = sum(job.pages for job in self.waiting if job.owner == owner)
        if self.printed.get(owner, 0) + planned + pages > self.quota:
            raise QuotaExceeded(owner)
        job = Job(self.next_number, owner, pages, urgent)
        self.next_number += 1
        self.waiting.append(job)
        return job.number

    def cancel(self, number):
        before = len(self.waiting)
        self.waiting = [job for job in self.waiting if job.number != number]
        return len(self.waiting) < before

    def choose(self):
        """Urgent jobs first, then whoever did not print last, then the oldest."""
        if not self.waiting:
            return None
        return min(self.waiting, key=lambda job: (not job.urgent, job.owner == self.last_owner, job.number))

    def print_next(self):
        job = self.choose()
        if job is None:
            return None
        self.waiting.remove(job)
        self.printed[job.owner] = self.printed.get(job.owner, 0) + job.pages
        return job.number

    def print_all(self):
        order = []
        while self.waiting:
            order.append(self.print_next())
        return order

    def pages_left(self, owner):
        return self.quota - self.printed.get(owner, 0)
