-- Bytes on disk of the files that statistics count, by which costs are calculated. Earlier scans don't have them: -1.
ALTER TABLE volume_statistics ADD COLUMN IF NOT EXISTS on_disk Int64 DEFAULT -1 CODEC(T64, ZSTD(1));
