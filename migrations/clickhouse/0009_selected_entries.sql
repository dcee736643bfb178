-- The entries of selections, each selection in a partition of its own. Positions are 1, 2, 3 … by volume, folder and name. Sizes are bytes,
-- -1 is unknown. An action plans with the last three columns: its part, the entry's path in an external system, and the reason why the
-- entry is left out; empty if it is not. The last column is a number, since an insert loses empty texts at the end of its rows.
CREATE TABLE IF NOT EXISTS selected_entries (
  selection    UInt64,
  position     UInt64 CODEC(Delta, ZSTD(1)),
  volume       UInt32 CODEC(ZSTD(1)),
  parent_path  String CODEC(ZSTD(1)),
  name         String CODEC(ZSTD(1)),
  path         String ALIAS concat(parent_path, name),
  is_directory Bool CODEC(ZSTD(1)),
  size         Int64 CODEC(ZSTD(1)),
  modified     DateTime('UTC') CODEC(Delta, ZSTD(1)),
  place        String DEFAULT '' CODEC(ZSTD(1)),
  left_out     LowCardinality(String) DEFAULT '' CODEC(ZSTD(1)),
  part         UInt16 DEFAULT 0 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY selection
ORDER BY position;
