-- The reason why a scan did not enter a folder, such as 'fileSystem:tmpfs'; empty for all others.
ALTER TABLE entries
  ADD COLUMN IF NOT EXISTS not_entered LowCardinality(String) CODEC(ZSTD(1)) AFTER unreadable;

ALTER TABLE entry_history
  ADD COLUMN IF NOT EXISTS not_entered LowCardinality(String) CODEC(ZSTD(1)) AFTER unreadable;
