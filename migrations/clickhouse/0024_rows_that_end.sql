-- Earlier servers would read one generation only, so they stop. Versions span generations: `row_id` names a row among all, and later generations of a volume list the rows that they end. Rows of before have 0,
-- so the next change of their volume writes it whole. The index finds entries without which a commit can't derive totals, see `isIrregular`.
ALTER TABLE entries
  ADD COLUMN IF NOT EXISTS row_id UInt64 DEFAULT 0 CODEC(Delta, LZ4),
  ADD INDEX IF NOT EXISTS irregular (size = -1 OR unreadable OR not_entered != '' OR unrecorded_files > 0 OR (link_count > 1 AND NOT is_directory))
    TYPE minmax GRANULARITY 1;

CREATE TABLE IF NOT EXISTS ended_rows (
  volume     UInt32,
  generation UInt32,
  row_id     UInt64 CODEC(Delta, LZ4),
  -- Of a live state: the flush that ended the row. 0 for scans.
  flush      UInt64 DEFAULT 0 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY (volume, generation)
ORDER BY row_id;

-- Numbers of files that changed in live storages, by folder and owner, for what grows now and for alerts.
CREATE TABLE IF NOT EXISTS live_changes (
  volume        UInt32,
  at            DateTime64(3, 'UTC'),
  parent_path   String CODEC(ZSTD(1)),
  owner         LowCardinality(String),
  created       UInt64,
  deleted       UInt64,
  -- Renamed files, at their new place; they are neither created nor deleted.
  moved         UInt64,
  -- Those of them that have another extension since.
  renamed       UInt64,
  -- Files whose size or date of change is another one.
  rewritten     UInt64,
  added_bytes   UInt64,
  removed_bytes UInt64
)
ENGINE = MergeTree
PARTITION BY toDate(at)
ORDER BY (volume, at, parent_path)
TTL toDateTime(at) + INTERVAL 3 DAY;
