-- Times that can't be right are 0, unknown: here those later than today, of earlier scans. Totals of folders follow with the next scan.
-- Only parts of the table with such times are rewritten.
ALTER TABLE entries
  UPDATE created = if(created > now() + INTERVAL 1 DAY, toDateTime(0, 'UTC'), created),
    modified = if(modified > now() + INTERVAL 1 DAY, toDateTime(0, 'UTC'), modified),
    accessed = if(accessed > now() + INTERVAL 1 DAY, toDateTime(0, 'UTC'), accessed),
    backup_date = if(backup_date > now() + INTERVAL 1 DAY, toDateTime(0, 'UTC'), backup_date),
    accessed_below = if(accessed_below > now() + INTERVAL 1 DAY, toDateTime(0, 'UTC'), accessed_below),
    modified_below = if(modified_below > now() + INTERVAL 1 DAY, toDateTime(0, 'UTC'), modified_below)
  WHERE greatest(created, modified, accessed, backup_date, accessed_below, modified_below) > now() + INTERVAL 1 DAY
  SETTINGS mutations_sync = 2;

ALTER TABLE entry_history
  UPDATE created = if(created > now() + INTERVAL 1 DAY, toDateTime(0, 'UTC'), created),
    modified = if(modified > now() + INTERVAL 1 DAY, toDateTime(0, 'UTC'), modified),
    accessed = if(accessed > now() + INTERVAL 1 DAY, toDateTime(0, 'UTC'), accessed),
    backup_date = if(backup_date > now() + INTERVAL 1 DAY, toDateTime(0, 'UTC'), backup_date),
    accessed_below = if(accessed_below > now() + INTERVAL 1 DAY, toDateTime(0, 'UTC'), accessed_below),
    modified_below = if(modified_below > now() + INTERVAL 1 DAY, toDateTime(0, 'UTC'), modified_below)
  WHERE greatest(created, modified, accessed, backup_date, accessed_below, modified_below) > now() + INTERVAL 1 DAY
  SETTINGS mutations_sync = 2;
