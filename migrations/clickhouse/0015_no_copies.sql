-- Entries that are no copies of others: empty folders, those in snapshot folders, and those whose only match is a date that programs write.
ALTER TABLE entries UPDATE identification_hash = 0
  WHERE identification_hash != 0 AND (
    multiSearchAny(if(is_directory, concat(parent_path, name, '/'), parent_path), ['/.snapshot/', '/~snapshot/', '/#snapshot/', '/.snapshots/', '/.snap/', '/.ckpt/', '/@Recently-Snapshot/', '/.zfs/snapshot/', '/@GMT-'])
    OR (is_directory AND (size = 0 OR toInt64(toUnixTimestamp(created)) < 318297600 OR toInt64(toUnixTimestamp(created)) IN (456789000, 499162500, 1153704088, 1580601600)
      OR (toInt64(toUnixTimestamp(created)) % 900 = 0 AND toInt64(toUnixTimestamp(created)) - toInt64(toUnixTimestamp(toDateTime(toStartOfYear(created + INTERVAL 14 HOUR), 'UTC'))) BETWEEN -50400 AND 50400)))
    OR (NOT is_directory AND etag = '' AND (toInt64(toUnixTimestamp(modified)) < 318297600 OR toInt64(toUnixTimestamp(modified)) IN (456789000, 499162500, 1153704088, 1580601600)
      OR (toInt64(toUnixTimestamp(modified)) % 900 = 0 AND toInt64(toUnixTimestamp(modified)) - toInt64(toUnixTimestamp(toDateTime(toStartOfYear(modified + INTERVAL 14 HOUR), 'UTC'))) BETWEEN -50400 AND 50400))))
  SETTINGS mutations_sync = 2;

ALTER TABLE entry_history UPDATE identification_hash = 0
  WHERE identification_hash != 0 AND (
    multiSearchAny(if(is_directory, concat(parent_path, name, '/'), parent_path), ['/.snapshot/', '/~snapshot/', '/#snapshot/', '/.snapshots/', '/.snap/', '/.ckpt/', '/@Recently-Snapshot/', '/.zfs/snapshot/', '/@GMT-'])
    OR (is_directory AND (size = 0 OR toInt64(toUnixTimestamp(created)) < 318297600 OR toInt64(toUnixTimestamp(created)) IN (456789000, 499162500, 1153704088, 1580601600)
      OR (toInt64(toUnixTimestamp(created)) % 900 = 0 AND toInt64(toUnixTimestamp(created)) - toInt64(toUnixTimestamp(toDateTime(toStartOfYear(created + INTERVAL 14 HOUR), 'UTC'))) BETWEEN -50400 AND 50400)))
    OR (NOT is_directory AND etag = '' AND (toInt64(toUnixTimestamp(modified)) < 318297600 OR toInt64(toUnixTimestamp(modified)) IN (456789000, 499162500, 1153704088, 1580601600)
      OR (toInt64(toUnixTimestamp(modified)) % 900 = 0 AND toInt64(toUnixTimestamp(modified)) - toInt64(toUnixTimestamp(toDateTime(toStartOfYear(modified + INTERVAL 14 HOUR), 'UTC'))) BETWEEN -50400 AND 50400))))
  SETTINGS mutations_sync = 2;
