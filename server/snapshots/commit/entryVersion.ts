import { type Sql, text } from '#server/platform/clickhouse/sql.ts'

type Column = {
  name: string
  /** Value for a file, read from the staging row `s`, and for a folder, read from `s` and its totals `t`. */
  file: string
  folder: string
  /** Decides if a different value makes a new version. */
  compared: 'always' | 'own access' | 'access below' | 'never'
}

/** Converts a column of seconds to a moment; values outside 1970–2106 are clamped. */
const moment = (seconds: string) => `toDateTime(toUInt32(least(greatest(${seconds}, 0), 4294967295)), 'UTC')`
const zeroTime = `toDateTime(0, 'UTC')`
/**
 * Values of columns that only folders have, with the types of folders, since a table made of files takes folders too.
 */
const none = { counted: 'toUInt64(0)', bytes: 'toInt64(0)' }
/** A value computed from a dictionary's texts would be a dictionary too, which tables only accept for texts. */
const depthOf = (path: string) => `CAST(countSubstrings(${path}, '/'), 'UInt16')`
const always = (name: string, file: string, folder = file): Column => ({ name, file, folder, compared: 'always' })
const never = (name: string, file: string, folder = file): Column => ({
  ...always(name, file, folder),
  compared: 'never',
})

const extension = `if(position(s.name, '.', 2) > 0, lowerUTF8(splitByChar('.', s.name)[-1]), '')`
const fileHash = `if(s.size > 0, if(s.etag = '', sipHash64(s.name, s.size, ${moment('s.modified')}), sipHash64(s.etag)), 0)`
/** An unknown creation date never matches another. */
const folderHash = `if(s.created > 0, sipHash64(t.size, ${moment('s.created')}, t.files, t.folders), 0)`

/** The columns of a version of an entry other than its key, in `entries` and `entry_history`. */
export const attributes: readonly Column[] = [
  never('extension', extension, `''`),
  never('depth', depthOf('s.parent_path'), depthOf('t.parent_path')),
  always('size', 's.size', 't.size'),
  always('allocated_size', 's.allocated_size', 't.allocated_size'),
  always('repeated_size', 's.repeated_size', 't.repeated_size'),
  always('link_count', 's.link_count'),
  never('device', 's.device'),
  never('inode', 's.inode'),
  always('owner', 's.owner'),
  always('group', 's.`group`'),
  always('mode', 's.mode'),
  always('link_target', 's.link_target'),
  always('created', moment('s.created')),
  always('modified', moment('s.modified')),
  { name: 'accessed', file: moment('s.accessed'), folder: moment('s.accessed'), compared: 'own access' },
  always('etag', 's.etag'),
  always('storage_class', 's.storage_class'),
  always('backup_date', moment('s.backup_date')),
  always('metadata', 's.metadata'),
  always('files', none.counted, 't.files'),
  always('folders', none.counted, 't.folders'),
  {
    name: 'accessed_below',
    file: zeroTime,
    folder: `if(t.dated > 0, ${moment('t.last_access')}, ${moment('s.modified')})`,
    compared: 'access below',
  },
  always('modified_below', zeroTime, `if(t.dated > 0, ${moment('t.last_modified')}, ${moment('s.modified')})`),
  always('unreadable', 'false', 't.unreadable'),
  always('unrecorded_files', none.counted, 't.unrecorded_files'),
  always('unrecorded_size', none.bytes, 't.unrecorded_size'),
  always('unrecorded_allocated', none.bytes, 't.unrecorded_allocated'),
  never('identification_hash', fileHash, folderHash),
]

const quoted = (name: string) => `\`${name}\``

/** The select list for new versions of files, or of folders, without the key. */
export const attributesOf = (kind: 'file' | 'folder'): Sql =>
  text(attributes.map((column) => `${column[kind]} AS ${quoted(column.name)}`).join(',\n'))

/** Names of the attributes of a table or subquery, and of the new or old side of a change. */
export const attributeNames = (table = '', side: '' | 'n_' | 'o_' = ''): string =>
  attributes.map(({ name }) => `${table && `${table}.`}${quoted(side + name)}`).join(', ')

/**
 * Compares the versions `n` and `o` in all stored columns, or in all but accesses. The scan itself accesses folders and
 * symbolic links.
 */
export const differs = (kind: 'file' | 'folder', { butAccesses = false } = {}): Sql =>
  text(
    attributes
      .filter(({ compared }) => isCompared[kind].includes(compared) && !(butAccesses && compared !== 'always'))
      .map(
        ({ name, compared }) => `n.${quoted(name)} != o.${quoted(name)}${compared === 'own access' ? unlessLink : ''}`,
      )
      .join(' OR '),
  )

const isCompared: Record<'file' | 'folder', Column['compared'][]> = {
  file: ['always', 'own access'],
  folder: ['always', 'access below'],
}
const unlessLink = ` AND n.link_target = ''`
