-- What is inside media files, by the content that was read: an unchanged, moved or hard-linked file adds no row. Of several rows of a content the newest counts.
CREATE TABLE IF NOT EXISTS media_facts (
  volume  UInt32,
  -- See `contentKey`.
  content UInt64,
  read_at DateTime64(3, 'UTC'),
  -- Empty if it was read. Files that failed are not tried again until they change.
  failure LowCardinality(String),
  texts   Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  numbers Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
  -- Tracks and chapters for the details of a file, as JSON.
  details String CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree(read_at)
PARTITION BY volume
ORDER BY content;
