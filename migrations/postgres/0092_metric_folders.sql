-- Folders whose bytes are metrics. Storages that are deleted keep theirs until their rows are removed.
CREATE TABLE metric_folders (
  volume_id integer NOT NULL REFERENCES volumes ON DELETE CASCADE,
  path      text NOT NULL
);
CREATE UNIQUE INDEX metric_folders_once ON metric_folders (volume_id, md5(path));
