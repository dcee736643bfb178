-- Searches for a part of a name skip blocks of 8,192 rows without its three-letter sequences: a filter of 4 kB each, which is a hundredth of
-- an entry's size and takes half a second to write for a million names. The expression is that of `nameText`.
-- Totals of searches read the allocated size, which LZ4 unpacks in half the time. Rows that are there stay as they are until a scan writes
-- their volume anew.
-- minimum: 0018
ALTER TABLE entries
  MODIFY COLUMN allocated_size CODEC(LZ4),
  ADD INDEX IF NOT EXISTS by_name if(empty(folded_name), lower(name), folded_name) TYPE ngrambf_v1(3, 4096, 2, 0) GRANULARITY 1;

ALTER TABLE entry_history
  MODIFY COLUMN allocated_size CODEC(LZ4),
  ADD INDEX IF NOT EXISTS by_name if(empty(folded_name), lower(name), folded_name) TYPE ngrambf_v1(3, 4096, 2, 0) GRANULARITY 1;
