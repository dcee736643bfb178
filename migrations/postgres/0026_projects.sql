-- Folders of volumes that users look at together, with a size that they are meant to have.
CREATE TABLE projects (
  id                   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name                 text NOT NULL,
  description          text NOT NULL,
  allocated_size       bigint NOT NULL,
  -- Statements begin with this day.
  made_on              date NOT NULL DEFAULT current_date,
  -- Whom they are mailed to.
  statement_recipients text[] NOT NULL DEFAULT '{}'
);
CREATE UNIQUE INDEX projects_name ON projects (lower(name));

-- One that lies in another folder of its project is nested: its figures are part of that one's.
CREATE TABLE project_folders (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects ON DELETE CASCADE,
  volume_id  integer NOT NULL REFERENCES volumes,
  path       text NOT NULL,
  path_hash  text NOT NULL GENERATED ALWAYS AS (md5(path)) STORED,
  is_nested  boolean NOT NULL
);
CREATE UNIQUE INDEX project_folders_once ON project_folders (project_id, volume_id, path_hash);
CREATE INDEX project_folders_of_volumes ON project_folders (volume_id, path_hash);

-- What a folder that some project tracks holds on a date: counted after the commit, from the scan that the date shows of the
-- volume (scan_id), and among all that the date shows (shown), by which duplicates are found. Counted anew where either differs.
-- One that the date does not have is not there. Ages and duplicates stand in statistics, as the calls answer them.
CREATE TABLE folder_figures (
  indexing_date date NOT NULL,
  volume_id     integer NOT NULL,
  path_hash     text NOT NULL,
  scan_id       bigint NOT NULL,
  shown         text NOT NULL,
  is_there      boolean NOT NULL,
  bytes         bigint NOT NULL,
  files         bigint NOT NULL,
  folders       bigint NOT NULL,
  last_access   timestamptz,
  last_modified timestamptz,
  statistics    jsonb NOT NULL,
  PRIMARY KEY (volume_id, path_hash, indexing_date),
  FOREIGN KEY (indexing_date, volume_id) REFERENCES snapshots ON DELETE CASCADE
);
CREATE INDEX folder_figures_of_dates ON folder_figures (indexing_date, volume_id);

-- Statements of months that are over, as they were when they were closed; `statement` is as the calls answer it.
CREATE TABLE project_statements (
  project_id integer NOT NULL REFERENCES projects ON DELETE CASCADE,
  month      text NOT NULL,
  statement  jsonb NOT NULL,
  PRIMARY KEY (project_id, month)
);

-- A mail to an address instead of a user.
ALTER TABLE deliveries ADD COLUMN address text, ALTER COLUMN user_id DROP NOT NULL,
  ADD CONSTRAINT deliveries_recipient CHECK ((user_id IS NULL) = (address IS NOT NULL)),
  ADD CONSTRAINT deliveries_address CHECK (address IS NULL OR channel = 'email');
