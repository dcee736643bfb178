-- The newest version of every entry. A commit writes a new generation beside the old one and switches in Postgres.
-- Sizes are bytes, -1 is unknown; times are clamped to 1970..2106. The size of a folder is that of all below it.
-- Hard links repeat the size of the first one in order; what is the same for nearly all entries costs nothing.
CREATE TABLE IF NOT EXISTS entries (
  volume                 UInt32,
  generation             UInt32,
  from_scan              UInt64 CODEC(ZSTD(1)),
  parent_path            String CODEC(ZSTD(1)),
  name                   String CODEC(ZSTD(1)),
  is_directory           Bool CODEC(ZSTD(1)),
  extension              LowCardinality(String) CODEC(ZSTD(1)),
  depth                  UInt16 CODEC(ZSTD(1)),
  size                   Int64 CODEC(ZSTD(1)),
  allocated_size         Int64 CODEC(ZSTD(1)),
  repeated_size          Int64 CODEC(ZSTD(1)),
  counted_size           Int64 ALIAS size - repeated_size,
  link_count             UInt32 CODEC(ZSTD(1)),
  device                 UInt64 CODEC(ZSTD(1)),
  inode                  UInt64 CODEC(Delta, ZSTD(1)),
  owner                  LowCardinality(String) CODEC(ZSTD(1)),
  `group`                LowCardinality(String) CODEC(ZSTD(1)),
  mode                   UInt32 CODEC(ZSTD(1)),
  link_target            String CODEC(ZSTD(1)),
  created                DateTime('UTC') CODEC(Delta, ZSTD(1)),
  modified               DateTime('UTC') CODEC(Delta, ZSTD(1)),
  accessed               DateTime('UTC') CODEC(Delta, ZSTD(1)),
  etag                   String CODEC(ZSTD(1)),
  storage_class          LowCardinality(String) CODEC(ZSTD(1)),
  backup_date            DateTime('UTC') CODEC(ZSTD(1)),
  metadata               Map(String, String) CODEC(ZSTD(1)),
  previous_path          String CODEC(ZSTD(1)),
  files                  UInt64 CODEC(ZSTD(1)),
  folders                UInt64 CODEC(ZSTD(1)),
  accessed_below         DateTime('UTC') CODEC(ZSTD(1)),
  modified_below         DateTime('UTC') CODEC(ZSTD(1)),
  last_access            DateTime('UTC') ALIAS if(is_directory, accessed_below, accessed),
  last_modified          DateTime('UTC') ALIAS if(is_directory, modified_below, modified),
  unreadable             Bool CODEC(ZSTD(1)),
  unrecorded_files       UInt64 CODEC(ZSTD(1)),
  unrecorded_size        Int64 CODEC(ZSTD(1)),
  unrecorded_allocated   Int64 CODEC(ZSTD(1)),
  identification_hash    UInt64 CODEC(ZSTD(1)),
  file_id                UInt64 ALIAS sipHash64(volume, parent_path, name, is_directory),
  INDEX by_file_id sipHash64(volume, parent_path, name, is_directory) TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY (volume, generation)
ORDER BY (parent_path, name, is_directory);

-- Closed versions, shown by scans from_scan <= s < to_scan, and how each ended.
CREATE TABLE IF NOT EXISTS entry_history (
  volume                 UInt32,
  from_scan              UInt64 CODEC(ZSTD(1)),
  to_scan                UInt64 CODEC(ZSTD(1)),
  ended                  Enum8('changed' = 1, 'deleted' = 2, 'moved' = 3, 'no longer indexed' = 4) CODEC(ZSTD(1)),
  moved_to               String CODEC(ZSTD(1)),
  parent_path            String CODEC(ZSTD(1)),
  name                   String CODEC(ZSTD(1)),
  is_directory           Bool CODEC(ZSTD(1)),
  extension              LowCardinality(String) CODEC(ZSTD(1)),
  depth                  UInt16 CODEC(ZSTD(1)),
  size                   Int64 CODEC(ZSTD(1)),
  allocated_size         Int64 CODEC(ZSTD(1)),
  repeated_size          Int64 CODEC(ZSTD(1)),
  counted_size           Int64 ALIAS size - repeated_size,
  link_count             UInt32 CODEC(ZSTD(1)),
  device                 UInt64 CODEC(ZSTD(1)),
  inode                  UInt64 CODEC(Delta, ZSTD(1)),
  owner                  LowCardinality(String) CODEC(ZSTD(1)),
  `group`                LowCardinality(String) CODEC(ZSTD(1)),
  mode                   UInt32 CODEC(ZSTD(1)),
  link_target            String CODEC(ZSTD(1)),
  created                DateTime('UTC') CODEC(Delta, ZSTD(1)),
  modified               DateTime('UTC') CODEC(Delta, ZSTD(1)),
  accessed               DateTime('UTC') CODEC(Delta, ZSTD(1)),
  etag                   String CODEC(ZSTD(1)),
  storage_class          LowCardinality(String) CODEC(ZSTD(1)),
  backup_date            DateTime('UTC') CODEC(ZSTD(1)),
  metadata               Map(String, String) CODEC(ZSTD(1)),
  previous_path          String CODEC(ZSTD(1)),
  files                  UInt64 CODEC(ZSTD(1)),
  folders                UInt64 CODEC(ZSTD(1)),
  accessed_below         DateTime('UTC') CODEC(ZSTD(1)),
  modified_below         DateTime('UTC') CODEC(ZSTD(1)),
  last_access            DateTime('UTC') ALIAS if(is_directory, accessed_below, accessed),
  last_modified          DateTime('UTC') ALIAS if(is_directory, modified_below, modified),
  unreadable             Bool CODEC(ZSTD(1)),
  unrecorded_files       UInt64 CODEC(ZSTD(1)),
  unrecorded_size        Int64 CODEC(ZSTD(1)),
  unrecorded_allocated   Int64 CODEC(ZSTD(1)),
  identification_hash    UInt64 CODEC(ZSTD(1)),
  file_id                UInt64 ALIAS sipHash64(volume, parent_path, name, is_directory),
  INDEX by_file_id sipHash64(volume, parent_path, name, is_directory) TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX by_to_scan to_scan TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY volume
ORDER BY (parent_path, name, is_directory, to_scan);

-- A tag of an entry, from a date on and before another one; the row with the highest version of its key counts.
CREATE TABLE IF NOT EXISTS entry_tags (
  volume    UInt32,
  file_id   UInt64,
  tag       String,
  from_date Date,
  to_date   Date,
  version   UInt64
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (volume, file_id, tag, from_date);

-- Files and bytes of a scan, by dimension. The bucket of a time is its day, that of a size the power of two below it.
CREATE TABLE IF NOT EXISTS volume_statistics (
  volume    UInt32,
  scan      UInt64,
  dimension Enum8('SIZE' = 1, 'MODIFIED_DATE' = 2, 'ACCESS_DATE' = 3, 'CREATION_DATE' = 4, 'EXTENSION' = 5, 'OWNER' = 6,
                  'GROUP' = 7, 'STORAGE_CLASS' = 8),
  bucket    String CODEC(ZSTD(1)),
  files     UInt64 CODEC(T64, ZSTD(1)),
  bytes     UInt64 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY volume
ORDER BY (scan, dimension, bucket);

-- Entries of the newest snapshot that are the same. Of each hash the newest version counts that Postgres allows; fewer
-- than two copies are no group any more. A version with a row of hash 0 stands on its own, without older ones.
CREATE TABLE IF NOT EXISTS duplicate_groups (
  version      UInt64,
  hash         UInt64 CODEC(ZSTD(1)),
  is_directory Bool CODEC(ZSTD(1)),
  copies       UInt64 CODEC(ZSTD(1)),
  bytes        UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY version
ORDER BY hash;
