-- Tags are kept under the key of their entries: those of one tag lie together in the order of `entries`, so that a search
-- by tags reads by the key and a move finds its tags by path. Nothing could write tags before.
DROP TABLE IF EXISTS entry_tags SYNC;

-- A tag of an entry, from a date on and before another one; the row with the highest version of its key counts.
CREATE TABLE IF NOT EXISTS entry_tags (
  tag          LowCardinality(String),
  volume       UInt32,
  parent_path  String CODEC(ZSTD(1)),
  name         String CODEC(ZSTD(1)),
  is_directory Bool CODEC(ZSTD(1)),
  from_date    Date CODEC(ZSTD(1)),
  to_date      Date CODEC(ZSTD(1)),
  version      UInt64 CODEC(ZSTD(1)),
  file_id      UInt64 ALIAS sipHash64(volume, parent_path, name, is_directory)
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (tag, volume, parent_path, name, is_directory, from_date)
SETTINGS index_granularity = 1024;
