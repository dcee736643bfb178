-- Exports of other tools that become snapshots. The ID is that of the scan that an import becomes, and no scan has the next number, so that its versions
-- `[id, id + 1)` are part of no other snapshot.
CREATE TABLE imports (
  id            bigint PRIMARY KEY,
  volume_id     integer NOT NULL REFERENCES volumes,
  indexing_date date NOT NULL,
  format        text NOT NULL,
  file_name     text,
  state         text NOT NULL DEFAULT 'READING' CHECK (state IN ('READING', 'READY', 'COMMITTING', 'COMMITTED', 'FAILED')),
  reason        text,
  created_at    timestamptz NOT NULL DEFAULT now(),
  created_by    text NOT NULL,
  read_bytes    bigint NOT NULL DEFAULT 0,
  -- While it is read: when the server that reads it last said so.
  seen_at       timestamptz NOT NULL DEFAULT now(),
  -- What it holds, what it lacks, lines that could not be read, and how it differs from the newest scan.
  summary       jsonb,
  -- True if its commit made its date, which has nothing of its own without it.
  made_date     boolean NOT NULL DEFAULT false
);
CREATE INDEX imports_volume ON imports (volume_id);

-- The scan of a committed import has the state `imported`, its format, and the fields that it lacks. It stays when the import is removed:
-- versions of removed imports are known by it.
ALTER TABLE scans ADD COLUMN imported jsonb;
ALTER TABLE scans DROP CONSTRAINT scans_state_check;
ALTER TABLE scans ADD CONSTRAINT scans_state_check
  CHECK (state IN ('waiting', 'running', 'committing', 'done', 'partial', 'failed', 'cancelled', 'imported'));
