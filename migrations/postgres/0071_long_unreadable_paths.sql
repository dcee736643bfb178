-- A path may be longer than a row of an index.
ALTER TABLE scan_unreadable DROP CONSTRAINT scan_unreadable_pkey;
CREATE UNIQUE INDEX scan_unreadable_once ON scan_unreadable (scan_id, md5(path));
