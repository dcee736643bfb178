-- Fewer entries are copies of others than before: all groups of duplicates are counted again.
DELETE FROM duplicates_of_scans;
UPDATE counted_duplicates SET versions = '{}', volumes = '{}';
