-- Numbers of versions of duplicate_groups are never used twice, so that nothing of a commit that was killed is taken for
-- a later one's.
CREATE SEQUENCE duplicates_versions;
SELECT setval('duplicates_versions', greatest(version, 1)) FROM duplicates_version;

-- The groups that commits go on from: the versions whose rows make them, oldest first, and the volumes that are counted.
-- Of each hash the row of the newest of these versions counts. Before, these were all versions up to one; those that a
-- version stood in for were dropped, at least all but the last sixteen.
ALTER TABLE duplicates_version ADD COLUMN versions bigint[] NOT NULL DEFAULT '{}';
UPDATE duplicates_version SET versions = ARRAY(SELECT generate_series(greatest(version - 32, 1), version));
ALTER TABLE duplicates_version DROP COLUMN version;
ALTER TABLE duplicates_version RENAME TO counted_duplicates;

-- The same of scans that dates show together, by their numbers in order. What scans saw never changes, so such a row stays
-- right for ever; it goes some time after no date needs it any more.
CREATE TABLE duplicates_of_scans (
  scans        bigint[] NOT NULL,
  versions     bigint[] NOT NULL,
  unused_since timestamptz
);
INSERT INTO duplicates_of_scans (scans, versions)
  SELECT scans, versions FROM counted_duplicates,
    (SELECT array_agg(committed_scan ORDER BY committed_scan) AS scans FROM volumes
     WHERE id = ANY ((SELECT volumes FROM counted_duplicates)::integer[])) AS counted
  WHERE scans IS NOT NULL;
