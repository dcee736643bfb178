-- When a storage was set up. Of those there are, the event log knows it.
ALTER TABLE volumes ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
UPDATE volumes SET created_at = events.at
  FROM events WHERE events.stream = 'volume-' || volumes.id AND events.version = 1;

-- Volumes of which a snapshot was deleted, with what no snapshot shows any more; removed when no question that began
-- before can still run.
CREATE TABLE deleted_snapshots (
  volume_id integer PRIMARY KEY,
  since     timestamptz NOT NULL DEFAULT now()
);
