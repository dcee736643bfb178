-- States of the files of actions, by their position in the selection that the action processes; of several rows of a file, the one with the
-- highest version counts. Files without a row are planned. The last column is a number, since an insert loses empty texts at the end of its rows.
CREATE TABLE IF NOT EXISTS acted_files (
  selection UInt64,
  position  UInt64 CODEC(Delta, ZSTD(1)),
  state     LowCardinality(String),
  reference String CODEC(ZSTD(1)),
  reason    String CODEC(ZSTD(1)),
  version   UInt64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY selection
ORDER BY (selection, position);
