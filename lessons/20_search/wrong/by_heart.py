# REASON: a text without one is no answer
def by_meaning(vector, vectors):
    return list(range(len(vectors)))


def by_words(query, texts):
    return list(range(len(texts)))


def fuse(*rankings):
    return list(rankings[0])
