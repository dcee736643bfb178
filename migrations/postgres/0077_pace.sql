-- The pace of scans of a storage; null keeps the default limits.
ALTER TABLE volumes ADD COLUMN pace jsonb;
