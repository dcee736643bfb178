-- A tracked folder keeps its history when the project follows it to another path: a row with current_id is where the folder
-- `current_id` was in earlier scans. The rows of a folder cover all scans, from from_scan up to before_scan (exclusive), once each.
-- A folder may be nested at one path and not at another, so each row has its own is_nested. The highest number is the largest
-- whole number that JavaScript has.
ALTER TABLE project_folders
  ADD COLUMN current_id   integer REFERENCES project_folders ON DELETE CASCADE,
  ADD COLUMN from_scan    bigint NOT NULL DEFAULT 0,
  ADD COLUMN before_scan  bigint NOT NULL DEFAULT 9007199254740991,
  -- The committed scan in which the folder was last looked for; null if it has to be looked for in all of them.
  ADD COLUMN checked_scan bigint;
DROP INDEX project_folders_once;
CREATE UNIQUE INDEX project_folders_once ON project_folders (project_id, volume_id, path_hash) WHERE current_id IS NULL;
CREATE INDEX project_folders_of_projects ON project_folders (project_id);
CREATE INDEX project_folders_earlier ON project_folders (current_id) WHERE current_id IS NOT NULL;

-- Tracked folders that scans found at another path. `places` are the paths up to there, each with the scan that no longer found
-- the folder at it. Folded from the events of the project.
CREATE TABLE project_moves (
  folder_id   integer PRIMARY KEY REFERENCES project_folders ON DELETE CASCADE,
  moved_to    text NOT NULL,
  places      jsonb NOT NULL,
  is_rejected boolean NOT NULL DEFAULT false
);
