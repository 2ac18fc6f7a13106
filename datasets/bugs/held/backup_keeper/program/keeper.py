"""Which backups to keep: the last days, and then the newest one of each week and each month."""

from datetime import date


class Backup:
    def __init__(self, day, megabytes, number=1):
        self.day = day
        self.megabytes = megabytes
        self.number = number

    @property
    def name(self):
        return f"{self.day:%Y%m%d}-{self.number}"

    @classmethod
    def parse(cls, name, megabytes=0):
        stamp, _, number = name.partition("-")
        day = date(int(stamp[:4]), int(stamp[4:6]), int(stamp[6:8]))
        return cls(day, megabytes, int(number or 1))


def by_day(backup):
    return backup.day.toordinal()


def by_week(backup):
    return tuple(backup.day.isocalendar())[:2]


def by_month(backup):
    return backup.day.year, backup.day.month


class Keeper:
    def __init__(self, days=7, weeks=4, months=12):
        self.rules = [(by_day, days), (by_week, weeks), (by_month, months)]

    def newest_of_each(self, backups, period):
        """The newest backup of every period, newest period first."""
        newest = {}
        for backup in backups:
            key = period(backup)
            if key not in newest or age_key(backup) < age_key(newest[key]):
                newest[key] = backup
        return [newest[key] for key in sorted(newest, reverse=True)]

    def kept(self, backups):
        """Names of what stays, oldest first; each rule keeps so many of its periods."""
        names = set()
        for period, count in self.rules:
            for backup in self.newest_of_each(backups, period)[:count]:
                names.add(backup.name)
        return [backup.name for backup in sorted(backups, key=age_key) if backup.name in names]

    def dropped(self, backups):
        kept = set(self.kept(backups))
        return [backup.name for backup in sorted(backups, key=age_key) if backup.name not in kept]

    def freed(self, backups):
        """Megabytes that dropping gives back."""
        dropped = set(self.dropped(backups))
        return sum(backup.megabytes for backup in backups if backup.name in dropped)


def age_key(backup):
    return backup.day, backup.number


def missing_days(backups, first, last):
    """Days without any backup, both ends included."""
    have = {backup.day for backup in backups}
    return [
        date.fromordinal(number)
        for number in range(first.toordinal(), last.toordinal() + 1)
        if date.fromordinal(number) not in have
    ]
