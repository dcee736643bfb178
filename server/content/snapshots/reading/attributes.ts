import { fieldsWith, rowOf } from '#events/entries/fields.ts'

/** Columns with rules of their own, in the order of the tables. */
const ownRules = [
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
export type RuledAttribute = (typeof ownRules)[number]

/** Columns of the key, and columns that are computed from others. */
const notStored = ['file_id', 'name', 'is_directory', 'previous_path', 'last_access', 'last_modified']

/** Attributes of other fields, whose values are those of the scan. */
export const plainAttributes = fieldsWith('column').flatMap((field) => {
  const { kind, column = '' } = rowOf(field)
  return [...notStored, ...ownRules].includes(column) ? [] : [{ kind, column }]
})

/** Columns of a version of an entry other than its key, in `entries` and `entry_history`. */
export const attributes: readonly string[] = [...ownRules, ...plainAttributes.map(({ column }) => column)]

/** Names of the attributes of a table or subquery, and of the new or old side of a change. */
export const attributeNames = (table = '', side: '' | 'n_' | 'o_' = ''): string =>
  attributes.map((name) => `${table && `${table}.`}\`${side}${name}\``).join(', ')
