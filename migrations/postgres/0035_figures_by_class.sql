-- Bytes of a tracked folder by storage class, empty where its storage has none; statistics know them, too, and what of duplicates is
-- reclaimable. Both are counted from the files of each date, so all figures are counted anew.
DELETE FROM folder_figures;
ALTER TABLE folder_figures ADD COLUMN class_bytes jsonb NOT NULL;
