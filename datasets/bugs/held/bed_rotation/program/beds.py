"""A kitchen garden: what grows in which bed, and how long a family has to stay away from one."""

FAMILIES = {
    "cabbage": ["broccoli", "kale", "radish", "turnip"],
    "nightshade": ["tomato", "potato", "pepper"],
    "pea": ["bean", "pea", "lentil"],
    "onion": ["garlic", "leek", "onion"],
    "carrot": ["carrot", "celery", "parsley"],
}
PAUSE = {"cabbage": 3, "nightshade": 3, "pea": 2, "onion": 4, "carrot": 2}


def family_of(plant):
    for family, plants in FAMILIES.items():
        if plant in plants:
            return family
    raise ValueError(f"do not know {plant}")


class Bed:
    def __init__(self, name, square_metres):
        self.name = name
        self.square_metres = square_metres
        self.plants = {}

    def plant(self, year, *plants):
        for plant in plants:
            family_of(plant)
        self.plants.setdefault(year, []).extend(plants)

    def families(self, year):
        return {family_of(plant) for plant in self.plants.get(year, [])}

    def rested(self, family, year):
        """Has a family been away for as many whole years as it has to?"""
        pause = PAUSE[family]
        return all(family not in self.families(past) for past in range(year - pause + 1, year))

    def next_year(self, family, year):
        """The first year from a given one in which a family may grow here."""
        while not self.rested(family, year):
            year += 1
        return year


class Garden:
    def __init__(self, *beds):
        self.beds = {bed.name: bed for bed in beds}

    def beds_for(self, plant, year):
        """Names of the beds where a plant may grow, largest first."""
        family = family_of(plant)
        fitting = [bed for bed in self.beds.values() if bed.rested(family, year)]
        return [bed.name for bed in sorted(fitting, key=lambda bed: (-bed.square_metres, bed.name))]

    def plan(self, plants, year):
        """Give every plant a bed of its own; who finds none is left out."""
        taken = {}
        for plant in plants:
            for name in self.beds_for(plant, year):
                if name not in taken.values():
                    taken[plant] = name
                    break
        return taken

    def follow(self, plan, year):
        for plant, name in plan.items():
            self.beds[name].plant(year, plant)
