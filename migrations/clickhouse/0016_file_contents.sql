-- Results of comparing the contents of duplicates, by identification hash, which names size and time, and by place; the newest row of a file
-- counts. `scan` is the scan of the snapshot that the file was selected from. SHA-256 in hex of the ends and of everything, '' if not read;
-- `file` is the same for hard links; `reason` says why the file could not be read. The time is in milliseconds since 1970 UTC. The last
-- column is a number, since an insert loses empty texts at the end of its rows.
CREATE TABLE IF NOT EXISTS file_contents (
  hash        UInt64 CODEC(ZSTD(1)),
  volume      UInt32 CODEC(ZSTD(1)),
  parent_path String CODEC(ZSTD(1)),
  name        String CODEC(ZSTD(1)),
  scan        UInt64 CODEC(ZSTD(1)),
  ends        String CODEC(ZSTD(1)),
  whole       String CODEC(ZSTD(1)),
  file        String CODEC(ZSTD(1)),
  reason      String CODEC(ZSTD(1)),
  compared_at UInt64 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(compared_at)
ORDER BY (hash, volume, parent_path, name);
