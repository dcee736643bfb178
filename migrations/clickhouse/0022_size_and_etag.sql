-- Objects match by their ETag and their size, since some stores give objects of any size the same ETag.
ALTER TABLE entries UPDATE identification_hash = sipHash64(etag, size)
  WHERE identification_hash != 0 AND NOT is_directory AND etag != ''
  SETTINGS mutations_sync = 2;

ALTER TABLE entry_history UPDATE identification_hash = sipHash64(etag, size)
  WHERE identification_hash != 0 AND NOT is_directory AND etag != ''
  SETTINGS mutations_sync = 2;

-- Bytes of a compared file that others have on disk, too.
ALTER TABLE file_contents ADD COLUMN IF NOT EXISTS shared UInt64 DEFAULT 0 CODEC(ZSTD(1));
