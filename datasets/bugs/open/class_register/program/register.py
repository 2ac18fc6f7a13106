"""School marks: averages by pupil and subject, and who needs help."""

PASS_MARK = 50


class Register:
    def __init__(self):
        self.marks = []

    def record(self, pupil, subject, mark):
        if not 0 <= mark <= 100:
            raise ValueError(f"mark out of range: {mark}")
        self.marks.append((pupil, subject, mark))

    def pupils(self):
        return sorted({pupil for pupil, _, _ in self.marks})

    def subjects(self):
        return sorted({subject for _, subject, _ in self.marks})

    def average(self, pupil=None, subject=None):
        chosen = [
            mark
            for who, what, mark in self.marks
            if (pupil is None or who == pupil) and (subject is None or what == subject)
        ]
        if not chosen:
            return None
        return sum(chosen) / len(chosen)

    def failing(self):
        """Subjects below the pass mark by pupil; pupils without any are left out."""
        result = {}
        for pupil in self.pupils():
            weak = []
            for subject in self.subjects():
                average = self.average(pupil, subject)
                if average is not None and average < PASS_MARK:
                    weak.append(subject)
            if weak:
                result[pupil] = weak
        return result

    def ranking(self):
        """(place, pupil, average); equal averages share a place."""
        averages = sorted(((self.average(p), p) for p in self.pupils()), key=lambda pair: (-pair[0], pair[1]))
        rows = []
        place = 0
        previous = None
        for position, (average, pupil) in enumerate(averages, 1):
            if average != previous:
                place = position
            rows.append((place, pupil, average))
            previous = average
        return rows

    def table(self):
        lines = ["," + ",".join(self.subjects())]
        for pupil in self.pupils():
            cells = []
            for subject in self.subjects():
                average = self.average(pupil, subject)
                cells.append("" if average is None else f"{average:.1f}")
                lines.append(f"{pupil}," + ",".join(cells))
        return "\n".join(lines)
