-- Health checks write a row here, since a store whose disk is full or read-only can still be read. Its parts merge into one row.
CREATE TABLE IF NOT EXISTS health_checks (
  checked_at DateTime
)
ENGINE = ReplacingMergeTree
ORDER BY tuple();
