/** Columns of a version of an entry other than its key, in `entries` and `entry_history`. */
export const attributes = [
  'extension',
  'depth',
  'size',
  'allocated_size',
  'repeated_size',
  'link_count',
  'device',
  'inode',
  'owner',
  'group',
  'mode',
  'link_target',
  'created',
  'modified',
  'accessed',
  'etag',
  'storage_class',
  'backup_date',
  'metadata',
  'files',
  'folders',
  'accessed_below',
  'modified_below',
  'unreadable',
  'not_entered',
  'unrecorded_files',
  'unrecorded_size',
  'unrecorded_allocated',
  'identification_hash',
] as const

/** Names of the attributes of a table or subquery, and of the new or old side of a change. */
export const attributeNames = (table = '', side: '' | 'n_' | 'o_' = ''): string =>
  attributes.map((name) => `${table && `${table}.`}\`${side}${name}\``).join(', ')
