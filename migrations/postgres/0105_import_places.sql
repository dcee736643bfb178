-- The scan by whose number the folders of projects have their paths on the day of an import: the last one until that day, 0 before the
-- first. The number of an import itself is higher than those of scans of later days.
ALTER TABLE scans ADD COLUMN place_scan bigint;
UPDATE scans SET place_scan = coalesce((
    SELECT max(earlier.id) FROM scans AS earlier
    WHERE earlier.volume_id = scans.volume_id AND earlier.imported IS NULL AND earlier.indexing_date <= scans.indexing_date), 0)
WHERE imported IS NOT NULL;
