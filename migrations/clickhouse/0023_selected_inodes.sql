-- minimum: 0022
-- What a file is in its file system, at the scan that a selection was made of: actions that rename or delete files compare it.
ALTER TABLE selected_entries ADD COLUMN IF NOT EXISTS inode UInt64 DEFAULT 0 CODEC(Delta, ZSTD(1));
ALTER TABLE selected_entries ADD COLUMN IF NOT EXISTS links UInt32 DEFAULT 0 CODEC(ZSTD(1));
