-- Counts by the day of the access are by that of the last use, which may be a change. Those of earlier scans are by the access alone.
ALTER TABLE volume_statistics ADD COLUMN IF NOT EXISTS by_last_use Bool DEFAULT false CODEC(ZSTD(1));
