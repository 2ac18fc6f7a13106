"""Results of a league: 3 points for a win, 1 for a draw, ties broken by goals."""


class Team:
    def __init__(self, name):
        self.name = name
        self.played = self.won = self.drawn = self.lost = 0
        self.scored = self.conceded = 0

    @property
    def points(self):
        return 3 * self.won + self.drawn

    @property
    def difference(self):
        return self.scored - self.conceded

    def enter(self, scored, conceded):
        self.played += 1
        self.scored += scored
        self.conceded += conceded
        if scored > conceded:
            self.won += 1
        elif scored == conceded:
            self.drawn += 1
        else:
            self.lost += 1


class League:
    def __init__(self, *names):
        self.teams = {name: Team(name) for name in names}
        self.results = {}

    def report(self, home, away, home_goals, away_goals):
        if home == away:
            raise ValueError("a team cannot play itself")
        if (home, away) in self.results:
            raise ValueError(f"{home} - {away} was played already")
        self.results[home, away] = (home_goals, away_goals)
        self.teams[home].enter(home_goals, away_goals)
        self.teams[away].enter(away_goals, home_goals)

    def table(self):
        return sorted(self.teams.values(), key=lambda t: (-t.points, -t.difference, -t.scored, t.name))

    def render(self):
        lines = []
        for place, team in enumerate(self.table(), 1):
            goals = f"{team.scored}:{team.conceded}"
            lines.append(f"{place}. {team.name:<8} {team.played:>2} {goals:>5} {team.points:>3}")
        return "\n".join(lines)
