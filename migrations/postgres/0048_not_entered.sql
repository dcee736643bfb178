-- Folders of the snapshot that its scans did not enter, other than those of the kernel's file systems: their number, and the first ones.
ALTER TABLE scans ADD COLUMN not_entered jsonb NOT NULL DEFAULT '{"count": 0, "folders": []}';
