import { type EntryField, entryFields } from '#events/entries/fields.ts'
import type { SearchQueryNode } from '#events/search/criteria.ts'
import { criteriaByFilter } from '#events/search/filterCriteria.ts'
import { noFilters, readPlace, type SearchFilters } from '#events/search/filters.ts'
import { type Criterion, isMetadataField } from '#events/search/query.ts'
import type { Scope } from '#server/content/archived/index.ts'
import type { QueryOptions } from '#server/platform/clickhouse/index.ts'
import { all, join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { duplicateHashes } from '#server/content/snapshots/index.ts'
import { deletedAt } from '#server/content/snapshots/reading/deletedAt.ts'
import { entriesAt, sourceAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { notRepeated } from '#server/content/snapshots/reading/repeatedPlaces.ts'
import { emptySnapshot, type ShownVolume, type Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { given, matches, taggedByReports, typeOfFile, pathText } from './conditions.ts'
import { type AlsoMeant, asksAnything, criteriaCondition, type Searched } from './criteriaCondition.ts'
import { placed, placesOf, scopesOf, searchedFor, searchedPath, type SearchPlaces } from './storedFolders.ts'

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

/** Entries that match a search. */
export type FoundEntries = EntrySelection & {
  criteria: SearchQueryNode
  kind: EntryKind
  volumes: readonly ShownVolume[]
  areCopies: boolean
  also: readonly AlsoMeant[]
}
/** A volume's root is not a folder in it. */
export type EntryKind = 'files' | 'folders' | 'all'
const kinds = {
  files: sql`NOT is_directory`,
  folders: sql`is_directory AND parent_path != ''`,
  all: sql`depth > 0`,
}

type Stores = Pick<Platform, 'db' | 'clickhouse'>

/**
 * The files, or folders, of a snapshot that match filters: the filters become criteria, apart from those that look folders up or have
 * a faster condition of their own.
 */
export async function selectEntries(
  { db, clickhouse }: Stores,
  snapshot: Snapshot,
  filters: SearchFilters,
  kind: 'files' | 'folders',
): Promise<FoundEntries> {
  const limited = { ...snapshot, volumes: selectVolumes(snapshot, filters) }
  const places = await placesOf(clickhouse, limited, filters)
  const { also, rest } = withoutLookups(filters, snapshot, places)
  const criteria = criteriaByFilter(rest)
  return selectByCriteria(
    db,
    snapshot,
    {
      searchOperator: 'AND',
      searchQueries: criteria.flatMap(({ queries }) => queries),
      searchQueryNodes: criteria.flatMap(({ nodes = [] }) => nodes),
    },
    {
      kind,
      also,
      volumes: limited.volumes,
      scopes: scopesOf(filters, places, limited),
      isNarrow: isWithinFolder(filters),
    },
  )
}

type Restriction = {
  kind?: EntryKind
  also?: AlsoMeant[]
  volumes?: ShownVolume[]
  scopes?: Scope[]
  /** The query reads a few folders. */
  isNarrow?: boolean
}

/** The files and folders of a snapshot that match criteria. */
export async function selectByCriteria(
  db: Db,
  snapshot: Snapshot,
  criteria: SearchQueryNode,
  { kind = 'all', also = [], volumes = snapshot.volumes, scopes, isNarrow = narrows(criteria) }: Restriction = {},
): Promise<FoundEntries> {
  const { from, where, deleted, isDeleted, isCopy } = await sourceOf(
    db,
    { ...snapshot, volumes, withoutAbove: kind === 'files' },
    criteria,
    snapshot,
  )
  const condition = criteriaCondition(criteria, { snapshot, volumes, scopes, isDeleted, isCopy }, also)
  return {
    snapshot,
    from,
    where: all([where, kinds[kind], sql`(${condition})`]),
    deleted,
    heavy: !isNarrow,
    areCopies: kind === 'files' && deleted === false && !canMatch(criteria, 'dupe', false),
    volumes,
    criteria,
    also,
    kind,
  }
}

/** Conditions of the filters that need a lookup, reports, which criteria don't have, and types, which are compared as a whole. */
function withoutLookups(filters: SearchFilters, snapshot: Snapshot, places: SearchPlaces) {
  const { search, ignorePattern, fileType = [], report, reports } = filters
  const path = searchedPath(search)
  const paths = ignorePattern.filter((ignored) => ignored.includes('/'))
  const about = (field: EntryField, conditions: Sql[]): AlsoMeant[] => conditions.map((where) => ({ field, where }))
  const also = [
    ...about('extension', fileType.length > 0 ? [sql`(NOT is_directory AND ${typeOfFile} IN ${fileType})`] : []),
    ...about('path', placed(filters, places)),
    ...about(
      'path',
      given(path, (path) => searchedFor(path, places, snapshot)),
    ),
    ...about(
      'name',
      paths.map((ignored) => sql`NOT ${matches(pathText, ignored)}`),
    ),
    ...about(
      'customTag',
      report.length + reports.length > 0 ? [taggedByReports([...report, ...reports], snapshot)] : [],
    ),
  ]
  const { volumeId, storageId, storageAndPath, volumeAndPath, startingPath } = noFilters
  const resolved = { volumeId, storageId, storageAndPath, volumeAndPath, startingPath, fileType: undefined }
  const rest = {
    ...filters,
    ...resolved,
    search: path === undefined ? search : undefined,
    ignorePattern: ignorePattern.filter((ignored) => !paths.includes(ignored)),
  }
  return { also, rest }
}

type SourceOfCriteria = Pick<EntrySelection, 'from' | 'where' | 'deleted'> & Pick<Searched, 'isDeleted' | 'isCopy'>

/**
 * Existing entries, unless the criteria refer to deletion; then only the sides that can match. If the criteria refer to copies
 * several times, they are looked up once.
 */
async function sourceOf(
  db: Db,
  limited: Snapshot,
  criteria: SearchQueryNode,
  snapshot: Snapshot,
): Promise<SourceOfCriteria> {
  const { isDeleted, ...source } = await existingOrDeleted(db, limited, criteria)
  const copies = isCopy(snapshot, limited.volumes)
  if (mentions(criteria, 'dupe') < 2) return { ...source, isDeleted, isCopy: copies }
  const from = sql`(SELECT *, ${copies} AS is_copy FROM ${source.deleted === false ? entriesAt(limited) : source.from})`
  return { from, where: sql`1`, deleted: source.deleted, isDeleted, isCopy: sql`is_copy` }
}

async function existingOrDeleted(db: Db, limited: Snapshot, criteria: SearchQueryNode) {
  const existing = sql`0`
  if (mentions(criteria, 'deleted') === 0) return { ...sourceAt(limited), deleted: false, isDeleted: existing } as const
  const [mayExist, mayBeDeleted] = [canMatch(criteria, 'deleted', false), canMatch(criteria, 'deleted', true)]
  if (mayBeDeleted && !mayExist)
    return { from: await deletedAt(db, limited), where: sql`1`, deleted: true, isDeleted: sql`1` } as const
  const sides = [
    sql`SELECT *, false AS is_deleted FROM ${entriesAt(mayExist ? limited : emptySnapshot)}`,
    ...(mayBeDeleted ? [sql`SELECT *, true AS is_deleted FROM ${await deletedAt(db, limited)}`] : []),
  ]
  return {
    from: sql`(${join(sides, ' UNION ALL ')})`,
    where: sql`1`,
    deleted: 'each',
    isDeleted: sql`is_deleted`,
  } as const
}

const mentions = ({ searchQueries, searchQueryNodes }: SearchQueryNode, field: EntryField): number =>
  searchQueries.filter((criterion) => criterion.field === field).length +
  searchQueryNodes.reduce((sum, inner) => sum + mentions(inner, field), 0)

/** Returns whether an entry with this value of the field can match the criteria. Conditions on counts match no files. */
export function canMatch(node: SearchQueryNode, field: 'deleted' | 'isDirectory' | 'dupe', value: boolean): boolean {
  const isPossible = (criterion: Criterion) =>
    criterion.type === 'boolean' && criterion.field === field
      ? (criterion.operators.value === value) !== criterion.excludes
      : criterion.excludes || value || field !== 'isDirectory' || !isOfFolders(criterion.field)
  const parts = [
    ...node.searchQueries.map(isPossible),
    ...node.searchQueryNodes.filter(asksAnything).map((inner) => canMatch(inner, field, value)),
  ]
  return node.searchOperator === 'AND' || parts.length === 0 ? parts.every(Boolean) : parts.some(Boolean)
}
const isOfFolders = (field: Criterion['field']) => !isMetadataField(field) && entryFields[field].kind === 'count'

/** Returns whether all possible matches are adjacent in the tables or found by their number. */
function narrows({ searchOperator, searchQueries, searchQueryNodes }: SearchQueryNode): boolean {
  const parts = [...searchQueries.map(isNarrow), ...searchQueryNodes.map(narrows)]
  return searchOperator === 'AND' ? parts.some(Boolean) : parts.length > 0 && parts.every(Boolean)
}

function isNarrow({ type, field, operators, excludes }: Criterion): boolean {
  if (type !== 'string' || excludes) return false
  const { value, values, startsWith = '' } = operators
  const isNamed = value !== undefined || values !== undefined
  return (field === 'fileId' && isNamed) || (field === 'path' && (isNamed || startsWith.length > 1))
}

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

/**
 * Condition: another entry of the whole snapshot is identical. If two of the storages in `volumes` show the same files, those of one of them
 * don't count.
 */
export function isCopy(snapshot: Snapshot, volumes: readonly ShownVolume[] = snapshot.volumes): Sql {
  const hasCopy = sql`identification_hash IN ${duplicateHashes(snapshot)}`
  return snapshot.repeated.length === 0 ? hasCopy : sql`(${hasCopy} AND ${notRepeated(snapshot.repeated, volumes)})`
}
