-- The history of a project reads a row of each of its folders on each date, of which it needs little: so that stands in the index,
-- and the statistics beside it, which are ten times as much, are not read for it.
ALTER TABLE folder_figures DROP CONSTRAINT folder_figures_pkey,
  ADD PRIMARY KEY (volume_id, path_hash, indexing_date) INCLUDE (scan_id, bytes);
