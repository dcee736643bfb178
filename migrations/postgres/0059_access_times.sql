-- Whether the access times of a scan's files mean something: 'recorded', 'frozen' or 'missing'. Scans before this count as recorded.
ALTER TABLE scans ADD COLUMN access_times text NOT NULL DEFAULT 'recorded'
  CHECK (access_times IN ('recorded', 'frozen', 'missing'));
