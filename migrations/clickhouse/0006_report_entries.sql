-- What runs of reports found, each in a partition of its own, which goes as a whole. Sizes are bytes, -1 is unknown.
CREATE TABLE IF NOT EXISTS report_entries (
  run          UInt32,
  volume       UInt32,
  parent_path  String CODEC(ZSTD(1)),
  name         String CODEC(ZSTD(1)),
  is_directory Bool CODEC(ZSTD(1)),
  size         Int64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY run
ORDER BY (volume, parent_path, name, is_directory);
