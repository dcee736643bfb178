import { readPlace, type SearchFilters, bytesOf, withExtension } from '#events/search/filters.ts'
import { archivedIn, type Scope } from '#server/archived/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Sql, sql, all } from '#server/platform/clickhouse/sql.ts'
import { deletedAt } from '#server/snapshots/reading/deletedAt.ts'
import { notRepeated } from '#server/snapshots/reading/repeatedPlaces.ts'
import type { ShownVolume, Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { sourceAt, entriesAt } from '#server/snapshots/reading/entriesAt.ts'
import type { QueryOptions } from '#server/platform/clickhouse/index.ts'
import { duplicateHashes } from '#server/snapshots/index.ts'
import { contains, given, hasExtension, matches, matchesAccount, taggedByReports, taggedWith } from './conditions.ts'
import { typeOfFile } from './fileTypeOf.ts'
import { nameText, pathText } from './searchKey.ts'
import { placed, placesOf, scopesOf, searchedFor, type SearchPlaces } from './searchPlaces.ts'
import { between } from './times.ts'

/** The entries of a query: their table and condition. */
export type EntrySelection = {
  snapshot: Snapshot
  from: Sql
  where: Sql
  /** True for deleted entries of the snapshot; "each" if a column `is_deleted` decides. */
  deleted: boolean | 'each'
  /** The query reads whole volumes: such queries wait for each other, so small ones don't wait. */
  heavy: boolean
  /** The list is needed at once: copies are left out if finding them takes long. */
  quick?: boolean
  /** All of them are files with copies, which take space. */
  areCopies?: boolean
  /** The storages of these entries, if not all of the snapshot. */
  volumes?: readonly ShownVolume[]
}

/** The matching files, or folders, of a snapshot; a volume's root is not a folder in it. */
export async function selectEntries(
  { db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>,
  snapshot: Snapshot,
  filters: SearchFilters,
  kind: 'files' | 'folders',
): Promise<EntrySelection> {
  const deleted = filters.showOnlyDeletedFiles === true
  const limited = { ...snapshot, volumes: selectVolumes(snapshot, filters) }
  const places = await placesOf(clickhouse, limited, filters)
  const isKind = kind === 'files' ? sql`NOT is_directory` : sql`is_directory AND parent_path != ''`
  const { from, where } = deleted ? { from: await deletedAt(db, limited), where: sql`1` } : sourceAt(limited)
  return {
    snapshot,
    from,
    where: all([
      where,
      isKind,
      matching(filters, snapshot, limited.volumes, places),
      ...archived(filters, snapshot, scopesOf(filters, places, limited)),
    ]),
    deleted,
    heavy: !isWithinFolder(filters),
    areCopies: filters.onlyDuplicates === true && kind === 'files' && !deleted,
    volumes: limited.volumes,
  }
}

const archived = ({ archived = [] }: SearchFilters, snapshot: Snapshot, scopes: Scope[]): Sql[] =>
  archived.length === 0 ? [] : [archivedIn(snapshot, archived, scopes)]

function selectVolumes({ volumes }: Snapshot, filters: SearchFilters) {
  const ids = [...filters.volumeId, ...filters.storageId]
  const places = [...filters.storageAndPath, ...filters.volumeAndPath].map((text) => readPlace(text).volumeId)
  return volumes
    .filter(({ volumeId }) => ids.length === 0 || ids.includes(volumeId))
    .filter(({ volumeId }) => places.length === 0 || places.includes(volumeId))
}

const isWithinFolder = ({ startingPath, storageAndPath, volumeAndPath }: SearchFilters): boolean => {
  const places = [...storageAndPath, ...volumeAndPath].map((text) => readPlace(text).path)
  return (startingPath ?? '/') !== '/' || (places.length > 0 && places.every((path) => path !== '/'))
}

/** A snapshot limited to some storages; unchanged for an empty list. */
export function inStorages(snapshot: Snapshot, storages: readonly number[]): Snapshot {
  const isMeant = ({ volumeId }: { volumeId: number }) => storages.length === 0 || storages.includes(volumeId)
  return { ...snapshot, volumes: snapshot.volumes.filter(isMeant) }
}

/** The entries of a snapshot in some storages, or in all for an empty list; for use in a FROM. */
export const entriesOf = (snapshot: Snapshot, storages: readonly number[]): Sql =>
  entriesAt(inStorages(snapshot, storages))

/** Table and condition of a selection of entries. */
export type Source = Pick<EntrySelection, 'from' | 'where' | 'heavy' | 'areCopies'>

/** Query options for selected entries: heavy queries of the same entries take turns. */
export const queryOptions = ({ from, where, heavy }: Source): QueryOptions => ({
  heavy,
  condition: sql`${from} ${where}`,
})

/** The condition of filters on the entries of a snapshot, fast parts first. Volumes are handled by `selectEntries`. */
const matching = (
  filters: SearchFilters,
  snapshot: Snapshot,
  volumes: readonly ShownVolume[],
  places: SearchPlaces,
): Sql =>
  all([
    ...measured(filters),
    ...counted(filters),
    ...dated(filters, snapshot),
    ...owned(filters),
    ...copied(filters, snapshot, volumes),
    ...placed(filters, places),
    ...given(filters.search, (typed) => searchedFor(typed, places, snapshot)),
    ...named(filters),
    ...tagged(filters, snapshot),
  ])

const named = ({ name: typed, ignorePattern }: SearchFilters): Sql[] => [
  ...given(typed, (typed) => contains(nameText, typed)),
  ...ignorePattern.map(isNot),
]

/** A file without an extension is excluded by `*.*`; `.bashrc` has none. */
const isNot = (ignored: string): Sql => {
  const isMeant = matches(ignored.includes('/') ? pathText : nameText, ignored)
  return ignored === withExtension ? sql`(extension = '' AND NOT (is_directory AND ${isMeant}))` : sql`NOT ${isMeant}`
}

const owned = ({ extension, fileType = [], owner, group }: SearchFilters): Sql[] => [
  ...(extension.length > 0 ? [hasExtension(extension)] : []),
  ...(fileType.length > 0 ? [sql`(NOT is_directory AND ${typeOfFile} IN ${fileType})`] : []),
  ...given(owner, (owner) => matchesAccount(sql`owner`, owner)),
  ...given(group, (group) => matchesAccount(sql`\`group\``, group)),
]

const dated = (filters: SearchFilters, snapshot: Snapshot): Sql[] => [
  ...between('created', { after: filters.creationAfter, before: filters.creationBefore }, snapshot),
  ...between('last_used', { after: filters.lastAccessAfter, before: filters.lastAccessBefore }, snapshot),
  ...between('last_modified', { after: filters.lastModifiedAfter, before: filters.lastModifiedBefore }, snapshot),
  ...between('backup_date', { after: filters.backupAfter, before: filters.backupBefore }, snapshot),
]

/** An unknown size is in no range. */
const measured = (filters: SearchFilters): Sql[] => [
  ...given(filters.minimumSize, (size) => sql`size >= ${bytesOf(size, filters.minimumSizeUnit, filters.sizeBase)}`),
  ...given(
    filters.maximumSize,
    (size) => sql`size BETWEEN 0 AND ${bytesOf(size, filters.maximumSizeUnit, filters.sizeBase)}`,
  ),
  ...given(
    filters.minimumAllocatedSize,
    (size) => sql`allocated_size >= ${bytesOf(size, filters.minimumAllocatedSizeUnit, filters.sizeBase)}`,
  ),
  ...given(
    filters.maximumAllocatedSize,
    (size) => sql`allocated_size BETWEEN 0 AND ${bytesOf(size, filters.maximumAllocatedSizeUnit, filters.sizeBase)}`,
  ),
]

/** Files have no file count, so none matches a bound. */
const counted = (filters: SearchFilters): Sql[] => [
  ...given(filters.minimumNumberOfFiles, (count) => sql`(is_directory AND files >= ${count})`),
  ...given(filters.maximumNumberOfFiles, (count) => sql`(is_directory AND files <= ${count})`),
  ...given(filters.minimumNumberOfFolders, (count) => sql`(is_directory AND folders >= ${count})`),
  ...given(filters.maximumNumberOfFolders, (count) => sql`(is_directory AND folders <= ${count})`),
]

const copied = ({ onlyDuplicates }: SearchFilters, snapshot: Snapshot, volumes: readonly ShownVolume[]): Sql[] =>
  given(onlyDuplicates, (wanted) => (wanted ? isCopy(snapshot, volumes) : sql`NOT ${isCopy(snapshot, volumes)}`))

/**
 * Condition: another entry of the whole snapshot is identical. If two of the storages in `volumes` show the same files, those of one of them
 * don't count.
 */
export function isCopy(snapshot: Snapshot, volumes: readonly ShownVolume[] = snapshot.volumes): Sql {
  const hasCopy = sql`identification_hash IN ${duplicateHashes(snapshot)}`
  return snapshot.repeated.length === 0 ? hasCopy : sql`(${hasCopy} AND ${notRepeated(snapshot.repeated, volumes)})`
}

const tagged = ({ tag, tags, report, reports }: SearchFilters, { indexingDate }: Snapshot): Sql[] => [
  ...(tag.length + tags.length > 0 ? [taggedWith([...tag, ...tags], indexingDate)] : []),
  ...(report.length + reports.length > 0 ? [taggedByReports([...report, ...reports], indexingDate)] : []),
]
