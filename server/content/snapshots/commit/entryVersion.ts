import { firstOwnDate, packagersDates, packagersMidnights, zoneStepSeconds } from '#events/scans/packedDates.ts'
import { snapshotMarks } from '#events/scans/snapshotFolders.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { attributes, plainAttributes, type RuledAttribute } from '#server/content/snapshots/reading/attributes.ts'

type Column = {
  /** Value for a file, read from the staging row `s`, and for a folder, read from `s` and its totals `t`. */
  file: string
  folder: string
  /** Decides if a different value makes a new version. */
  compared: 'always' | 'as access' | 'never'
}

/** Converts a column of plausible seconds to a moment; 0 is unknown. */
const moment = (seconds: string) => `toDateTime(toUInt32(${seconds}), 'UTC')`
const zeroTime = `toDateTime(0, 'UTC')`
/**
 * Values of columns that only folders have, with the types of folders, since a table made of files takes folders too.
 */
const none = { counted: 'toUInt64(0)', bytes: 'toInt64(0)' }
/** A value computed from a dictionary's texts would be a dictionary too, which tables only accept for texts. */
const depthOf = (path: string) => `CAST(countSubstrings(${path}, '/'), 'UInt16')`
const always = (file: string, folder = file): Column => ({ file, folder, compared: 'always' })
const never = (file: string, folder = file): Column => ({ file, folder, compared: 'never' })

/** Extension of a file with this name, in lower case. Without spaces around it, which can't be seen: `a.txt ` is a text file too. */
export const extensionOf = (name: string): string =>
  `if(position(${name}, '.', 2) > 0, lowerUTF8(trimBoth(splitByChar('.', ${name})[-1])), '')`
const extension = extensionOf('s.name')
const literal = (text: string): string => `'${text}'`

/** `isPackedDate` of a time in seconds. */
const isPacked = (seconds: string): string => {
  const midnights = packagersMidnights.map(([first, last]) => `${seconds} BETWEEN ${first} AND ${last}`)
  return `(${seconds} < ${firstOwnDate} OR ${seconds} IN (${packagersDates.join(', ')})
    OR (${seconds} % ${zoneStepSeconds} = 0 AND (${midnights.join(' OR ')})))`
}

/** Condition: a time identifies an entry. Unknown times don't. */
const isOwnDate = (seconds: string): string => `NOT ${isPacked(seconds)}`

/** Condition: a path such as '/a/b/' is outside of snapshot folders, whose files only take the space of their changes. */
const isLive = (path: string): string => `NOT multiSearchAny(${path}, [${snapshotMarks.map(literal).join(', ')}])`

/** Files match by their ETag and size, otherwise by name, size and date. Empty ones take no space. */
const fileHash = `multiIf(s.size <= 0 OR NOT (${isLive('s.parent_path')}), 0, s.etag != '', sipHash64(s.etag, s.size),
  ${isOwnDate('s.modified')}, sipHash64(s.name, s.size, ${moment('s.modified')}), 0)`
const folderHash = `if(t.size > 0 AND ${isOwnDate('s.created')} AND ${isLive(`concat(t.parent_path, t.name, '/')`)},
  sipHash64(t.size, ${moment('s.created')}, t.files, t.folders), 0)`

const ruled: Readonly<Record<RuledAttribute, Column>> = {
  extension: never(extension, `''`),
  depth: never(depthOf('s.parent_path'), depthOf('t.parent_path')),
  size: always('s.size', 't.size'),
  allocated_size: always('s.allocated_size', 't.allocated_size'),
  repeated_size: always('repeated', 't.repeated_size'),
  link_count: always('s.link_count'),
  device: never('s.device'),
  inode: never('s.inode'),
  owner: always('s.owner'),
  group: always('s.`group`'),
  mode: always('s.mode'),
  link_target: always('s.link_target'),
  created: always(moment('s.created')),
  modified: always(moment('s.modified')),
  accessed: { file: moment('s.accessed'), folder: moment('s.accessed'), compared: 'as access' },
  etag: always('s.etag'),
  storage_class: always('s.storage_class'),
  backup_date: always(moment('s.backup_date')),
  metadata: always('s.metadata'),
  files: always(none.counted, 't.files'),
  folders: always(none.counted, 't.folders'),
  accessed_below: {
    file: zeroTime,
    folder: `if(t.dated > 0, ${moment('t.last_access')}, ${moment('s.modified')})`,
    compared: 'as access',
  },
  modified_below: always(zeroTime, `if(t.dated > 0, ${moment('t.last_modified')}, ${moment('s.modified')})`),
  unreadable: always('false', 't.unreadable'),
  not_entered: always(`toLowCardinality('')`, 'toLowCardinality(t.not_entered)'),
  unrecorded_files: always(none.counted, 't.unrecorded_files'),
  unrecorded_size: always(none.bytes, 't.unrecorded_size'),
  unrecorded_allocated: always(none.bytes, 't.unrecorded_allocated'),
  identification_hash: never(fileHash, folderHash),
}

const columns: Readonly<Record<string, Column>> = {
  ...ruled,
  ...Object.fromEntries(
    plainAttributes.map(({ kind, column }) => [
      column,
      always(kind === 'moment' ? moment(`s.${column}`) : `s.${column}`),
    ]),
  ),
}
const columnOf = (name: string): Column => columns[name] ?? never(`s.${name}`)

const quoted = (name: string) => `\`${name}\``

/** The select list for new versions of files, or of folders, without the key. */
export const attributesOf = (kind: 'file' | 'folder'): Sql =>
  text(attributes.map((name) => `${columnOf(name)[kind]} AS ${quoted(name)}`).join(',\n'))

/** Compares the versions `n` and `o` in all stored columns, including accesses or not. */
export const differs = (kind: 'file' | 'folder', withAccesses: boolean): Sql => {
  const names = attributes.filter((name) => columnOf(name).compared === 'always')
  const different = text(names.map((name) => `n.${quoted(name)} != o.${quoted(name)}`).join(' OR '))
  return withAccesses ? sql`${different} OR ${accessDiffers(kind)}` : different
}

/** Compares the versions `n` and `o` in their accesses. The scan itself accesses folders and symbolic links. */
export const accessDiffers = (kind: 'file' | 'folder'): Sql =>
  kind === 'file' ? sql`(n.accessed != o.accessed AND n.link_target = '')` : sql`n.accessed_below != o.accessed_below`
