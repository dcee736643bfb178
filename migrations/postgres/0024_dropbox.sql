-- Which folder of Dropbox is scanned, '/' being all of it; empty at all other providers.
ALTER TABLE buckets ADD COLUMN path text NOT NULL DEFAULT '';
