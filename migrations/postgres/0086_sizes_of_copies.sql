-- Objects with the same ETag are copies only if their sizes are the same: all groups of duplicates are counted again. Servers before this don't know
-- the option of comparisons to read files that are not on disk.
DELETE FROM duplicates_of_scans;
UPDATE counted_duplicates SET versions = '{}', volumes = '{}';
