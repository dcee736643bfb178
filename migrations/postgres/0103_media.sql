-- After a scan of the storage, its agent reads what is inside new and changed media files.
ALTER TABLE volumes ADD COLUMN read_media boolean NOT NULL DEFAULT false;
