-- How a bucket is asked: requests that may begin in a second (NULL: no limit).
ALTER TABLE buckets ADD COLUMN requests_per_second integer;
-- Whether old versions and unfinished uploads are counted. What was counted is in what the agent announced of a scan.
ALTER TABLE buckets ADD COLUMN counts_versions boolean NOT NULL DEFAULT false;
