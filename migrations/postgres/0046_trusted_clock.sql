-- The last time at which the clock was plausible: at first that of the newest event. Nothing irreversible happens while the clock differs
-- from it by more than two days. It has one row.
CREATE TABLE trusted_clock (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  trusted_at timestamptz NOT NULL
);
INSERT INTO trusted_clock (trusted_at) SELECT at FROM events ORDER BY position DESC LIMIT 1;
