CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL CHECK (type IN ('lab', 'task')),
    title TEXT NOT NULL,
    parent_id INTEGER REFERENCES items(id)
);

CREATE TABLE learners (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    "group" TEXT NOT NULL,
    enrolled_at TEXT NOT NULL
);

CREATE TABLE interactions (
    id INTEGER PRIMARY KEY,
    external_id TEXT UNIQUE,
    item_id INTEGER NOT NULL REFERENCES items(id),
    learner_id INTEGER NOT NULL REFERENCES learners(id),
    kind TEXT NOT NULL,
    score REAL,
    checks_passed INTEGER,
    checks_total INTEGER,
    created_at TEXT NOT NULL
);

CREATE INDEX interactions_item ON interactions(item_id);
CREATE INDEX interactions_learner ON interactions(learner_id);
