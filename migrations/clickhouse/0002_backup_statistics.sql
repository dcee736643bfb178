-- Files are counted by the day of their backup, too; the bucket of those without one is ''.
ALTER TABLE volume_statistics MODIFY COLUMN dimension
  Enum8('SIZE' = 1, 'MODIFIED_DATE' = 2, 'ACCESS_DATE' = 3, 'CREATION_DATE' = 4, 'EXTENSION' = 5, 'OWNER' = 6, 'GROUP' = 7,
        'STORAGE_CLASS' = 8, 'BACKUP_DATE' = 9);
