-- Sizes of a storage that count for costs: on disk, or apparent. Of object stores and archives both are the same.
ALTER TABLE volumes ADD COLUMN size_basis text NOT NULL DEFAULT 'onDisk' CHECK (size_basis IN ('onDisk', 'apparent'));
-- `bytes` of a tracked folder are those of its storage's basis, so all figures are counted again. `apparent_bytes` are next to them.
DELETE FROM folder_figures;
ALTER TABLE folder_figures ADD COLUMN apparent_bytes bigint NOT NULL;
-- Files of a tracked folder with hard links in an earlier folder of the same project, which don't count again: bytes, and their
-- ages and duplicates. Most projects have none.
CREATE TABLE project_links (
  indexing_date  date NOT NULL,
  volume_id      integer NOT NULL,
  folder_id      integer NOT NULL REFERENCES project_folders ON DELETE CASCADE,
  bytes          bigint NOT NULL,
  apparent_bytes bigint NOT NULL,
  statistics     jsonb NOT NULL,
  PRIMARY KEY (folder_id, indexing_date),
  FOREIGN KEY (indexing_date, volume_id) REFERENCES snapshots ON DELETE CASCADE
);
CREATE INDEX project_links_of_dates ON project_links (indexing_date, volume_id);
-- Dates whose links were looked for, and everything the result depends on.
CREATE TABLE linked_dates (
  indexing_date date PRIMARY KEY,
  shown         text NOT NULL
);
