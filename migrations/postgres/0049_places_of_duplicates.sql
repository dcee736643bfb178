-- Places that the counted groups of duplicates leave out, because another storage shows the same files. Groups that were counted
-- before with such storages are counted anew by the next commit.
ALTER TABLE counted_duplicates ADD COLUMN repeated jsonb NOT NULL DEFAULT '[]';
