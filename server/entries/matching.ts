import { bytesOf, readPlace, type SearchFilters, withExtension } from '#events/search/filters.ts'
import { all, join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { duplicateHashes } from '#server/snapshots/index.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { between, given, type ZeroTime } from './conditions.ts'
import { below } from './inFolder.ts'
import { contains, matches } from './pattern.ts'
import { taggedByReports, taggedWith } from './taggedWith.ts'

/** The condition of filters on the entries of a snapshot, fast parts first. Volumes are handled by `selectEntries`. */
export const matching = (filters: SearchFilters, snapshot: Snapshot, kind: 'files' | 'folders'): Sql =>
  all([
    ...measured(filters),
    ...counted(filters),
    ...dated(filters, `unknown if unread ${kind}`),
    ...owned(filters),
    ...copied(filters, snapshot),
    ...placed(filters),
    ...named(filters),
    ...tagged(filters, snapshot),
  ])

const anyOf = (conditions: Sql[]): Sql[] => (conditions.length === 0 ? [] : [sql`(${join(conditions, ' OR ')})`])

const name = sql`name`
const path = sql`concat(parent_path, name)`

const named = ({ search, name: typed, ignorePattern }: SearchFilters): Sql[] => [
  ...given(search, (typed) => contains(name, typed)),
  ...given(typed, (typed) => contains(name, typed)),
  ...ignorePattern.map(isNot),
]

/** A file without an extension is excluded by `*.*`; `.bashrc` has none. */
const isNot = (ignored: string): Sql => {
  const isMeant = matches(ignored.includes('/') ? path : name, ignored)
  return ignored === withExtension ? sql`(extension = '' AND NOT (is_directory AND ${isMeant}))` : sql`NOT ${isMeant}`
}

const placed = ({ startingPath, storageAndPath, volumeAndPath }: SearchFilters): Sql[] => [
  ...given(startingPath, below),
  ...anyOf(
    [...storageAndPath, ...volumeAndPath]
      .map(readPlace)
      .map(({ volumeId, path }) => sql`(volume = ${volumeId} AND ${below(path)})`),
  ),
]

const owned = ({ extension, owner, group }: SearchFilters): Sql[] => [
  ...(extension.length > 0 ? [sql`extension IN ${extension}`] : []),
  ...given(owner, (owner) => matches(sql`owner`, owner)),
  ...given(group, (group) => matches(sql`\`group\``, group)),
]

const dated = (filters: SearchFilters, zero: ZeroTime): Sql[] => [
  ...between(sql`created`, filters.creationAfter, filters.creationBefore, 'unknown'),
  ...between(sql`last_access`, filters.lastAccessAfter, filters.lastAccessBefore, zero),
  ...between(sql`last_modified`, filters.lastModifiedAfter, filters.lastModifiedBefore, zero),
  ...between(sql`backup_date`, filters.backupAfter, filters.backupBefore, 'unknown'),
]

/** An unknown size is in no range. */
const measured = (filters: SearchFilters): Sql[] => [
  ...given(filters.minimumSize, (size) => sql`size >= ${bytesOf(size, filters.minimumSizeUnit)}`),
  ...given(filters.maximumSize, (size) => sql`size BETWEEN 0 AND ${bytesOf(size, filters.maximumSizeUnit)}`),
]

/** Files have no file count, so none matches a bound. */
const counted = (filters: SearchFilters): Sql[] => [
  ...given(filters.minimumNumberOfFiles, (count) => sql`(is_directory AND files >= ${count})`),
  ...given(filters.maximumNumberOfFiles, (count) => sql`(is_directory AND files <= ${count})`),
  ...given(filters.minimumNumberOfFolders, (count) => sql`(is_directory AND folders >= ${count})`),
  ...given(filters.maximumNumberOfFolders, (count) => sql`(is_directory AND folders <= ${count})`),
]

const copied = ({ onlyDuplicates }: SearchFilters, snapshot: Snapshot): Sql[] =>
  given(onlyDuplicates, (wanted) => (wanted ? isCopy(snapshot) : sql`NOT ${isCopy(snapshot)}`))

/** Condition: another entry of the whole snapshot is identical. */
export const isCopy = (snapshot: Snapshot): Sql => sql`identification_hash IN ${duplicateHashes(snapshot)}`

const tagged = ({ tag, tags, report, reports }: SearchFilters, { indexingDate }: Snapshot): Sql[] => [
  ...(tag.length + tags.length > 0 ? [taggedWith([...tag, ...tags], indexingDate)] : []),
  ...(report.length + reports.length > 0 ? [taggedByReports([...report, ...reports], indexingDate)] : []),
]
