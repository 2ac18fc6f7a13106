"""A trick-taking card game: follow suit, trumps win, tens and aces count.

A card is two characters: rank and suit, such as 'QH' or 'TS'.
"""

RANKS = "23456789JQKTA"
SUITS = "CDHS"
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}


def check(card):
    if len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS:
        raise ValueError(f"not a card: {card}")
    return card


def points(cards):
    return sum(POINTS.get(card[0], 0) for card in cards)


def beats(card, best, trump):
    """Does a card that is played later take the trick from the best one so far?"""
    if card[1] == best[1]:
        return RANKS.index(card[0]) > RANKS.index(best[0])
    return card[1] == trump


def allowed(hand, trick):
    """Cards that may be played now: those of the suit that was led, or any if there is none."""
    if not trick:
        return sorted(hand)
    led = trick[0][1][1]
    following = [card for card in hand if card[1] == led]
    return sorted(following or hand)


class Round:
    def __init__(self, hands, trump=None):
        """hands: cards by player, in the order of play."""
        self.names = list(hands)
        self.hands = {name: {check(card) for card in cards} for name, cards in hands.items()}
        self.trump = trump
        self.trick = []
        self.turn = 0
        self.points = {name: 0 for name in hands}
        self.tricks = {name: 0 for name in hands}

    @property
    def player(self):
        return self.names[self.turn % len(self.names)]

    def play(self, card):
        """The player whose turn it is plays; returns the winner when that ends a trick."""
        player = self.player
        hand = self.hands[player]
        if card not in hand:
            raise ValueError(f"{player} does not hold {card}")
        if card not in allowed(hand, self.trick):
            raise ValueError(f"{player} must follow suit")
        hand.remove(card)
        self.trick.append((player, card))
        self.turn += 1
        if len(self.trick) < len(self.names):
            return None
        return self.finish(player)

    def finish(self, player):
        winner, best = self.trick[0]
        for name, card in self.trick[1:]:
            if beats(card, best, self.trump):
                winner, best = name, card
        self.points[winner] += points(card for _, card in self.trick)
        self.tricks[player] += 1
        self.turn = self.names.index(winner)
        self.trick = []
        if not any(self.hands.values()):
            self.points[winner] += 10
        return winner

    def over(self):
        return not any(self.hands.values()) and not self.trick

    def result(self):
        """(name, points, tricks), best first; who has fewer tricks wins a tie."""
        rows = [(name, self.points[name], self.tricks[name]) for name in self.names]
        return sorted(rows, key=lambda row: (-row[1], row[2], row[0]))
