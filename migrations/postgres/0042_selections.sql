-- Selections of entries; the entries are in selected_entries of ClickHouse. The date and the scans of its volumes, by volume, are those of
-- the snapshot that was read. The bytes are those of files. Unused selections are dropped after a day, others with their job.
CREATE SEQUENCE selection_ids;
CREATE TABLE selections (
  id            bigint PRIMARY KEY,
  created_at    timestamptz NOT NULL DEFAULT now(),
  created_by    text NOT NULL,
  indexing_date date,
  scans         jsonb NOT NULL,
  files         bigint NOT NULL,
  folders       bigint NOT NULL,
  bytes         bigint NOT NULL,
  missing       integer NOT NULL,
  hash          text NOT NULL,
  used_by       integer
);
CREATE INDEX selections_used_by ON selections (used_by);
