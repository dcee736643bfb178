import { wordOf } from '#events/entries/fields.ts'
import type { PolicyActionKind, PolicySearch } from '#events/policies/policies.ts'
import type { SearchQueryNode } from '#events/search/criteria.ts'
import { hasFilter } from '#events/search/filters.ts'
import { isMediaRelation, mediaRelations } from '#events/media/relations.ts'
import { type Criterion, isMetadataField } from '#events/search/query.ts'
import { isRelativeDay } from '#events/search/relativeDays.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import { configured } from '#server/access/configurations/index.ts'
import { asksAnything, criteriaCondition } from '#server/content/entries/criteriaCondition.ts'
import { childrenOf } from '#server/content/entries/conditions.ts'
import type { FoundEntries } from '#server/content/entries/selectEntries.ts'
import {
  emptySnapshot,
  type ShownVolume,
  type Snapshot,
  snapshotOrEmpty,
} from '#server/content/snapshots/reading/snapshotAt.ts'
import { all, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import { invalid } from '#server/platform/problem.ts'
import { selectBySearch } from '#server/questions/search/index.ts'
import { type PastVolume, readHistory } from './history.ts'

/** A folder of a project, in the form of `parent_path`, also one where it was before. */
export type ProjectFolder = { volumeId: number; path: string; project: { id: number; name: string } }

/** Trial of a policy on the past: the condition on a version of a file, and the storages on which the action can act. */
export type Tried = {
  snapshot: Snapshot
  isMeant: Sql
  volumes: PastVolume[]
  /** Days of all snapshots that show a storage of today, yyyy-MM-dd, oldest first. */
  dates: string[]
  keepsAccessTimes: boolean
  folders: ProjectFolder[]
}

/** Storages on which actions can act, and which files they leave out; rules of single files and mappings are those of a plan. */
const places: Record<PolicyActionKind, { on: (volume: ShownVolume) => boolean; leavesOut?: Sql }> = {
  nothing: { on: () => true },
  tag: { on: () => true },
  ask: { on: () => true },
  quarantine: { on: isLocal, leavesOut: sql`link_target != ''` },
  archive: { on: isFileStorage },
  transfer: { on: isFileStorage },
  store: { on: isFileStorage },
  upload: { on: isLocal },
}
function isLocal({ type }: ShownVolume): boolean {
  return type === 'crawl.files'
}
function isFileStorage({ type }: ShownVolume): boolean {
  return groupOfType(type) === 'file'
}

/**
 * Reads what a policy is tried on: the storages of the newest snapshot on the days on which snapshots show them. Throws 400 for a search
 * without a condition, with an invalid expression, or with conditions whose past isn't known.
 */
export async function readTried(
  stores: Pick<Stores, 'db' | 'clickhouse'>,
  search: PolicySearch,
  action: PolicyActionKind,
): Promise<Tried> {
  const { db } = stores
  const snapshot = await snapshotOrEmpty(db, 'everything')
  const found = await selectBySearch(stores, snapshot, { ...search, isDirectory: false })
  if (!('filters' in search ? hasFilter(search.filters) : asksAnything(found.criteria)))
    invalid('search', 'must have a condition: a policy without any acts on nothing')
  refuseUnknown(found)
  const { on, leavesOut } = places[action]
  const [past, isKept, folders] = await Promise.all([
    readHistory(db, snapshot.volumes),
    configured(db, 'isAlwaysUpdateActive'),
    db
      .selectFrom('projectFolders')
      .innerJoin('projects', 'projects.id', 'projectId')
      .select(['volumeId', 'path', 'projects.id', 'projects.name'])
      .execute(),
  ])
  const meant = new Set(found.volumes.filter(on).map(({ volumeId }) => volumeId))
  return {
    snapshot,
    isMeant: all([conditionOf(found), ...(leavesOut ? [sql`NOT (${leavesOut})`] : [])]),
    volumes: past.volumes.filter(({ volumeId }) => meant.has(volumeId)),
    dates: past.dates,
    keepsAccessTimes: isKept === 'true',
    folders: folders.map(({ volumeId, path, id, name }) => ({
      volumeId,
      path: childrenOf(path),
      project: { id, name },
    })),
  }
}

/** The condition on a version of a file, whenever it was. */
const conditionOf = ({ criteria, volumes, also }: FoundEntries): Sql =>
  sql`(${criteriaCondition(criteria, { snapshot: emptySnapshot, volumes, isDeleted: sql`0`, isCopy: sql`0` }, also)})`

/** Fields whose value depends on the snapshot, not only on the version of a file. */
const ofSnapshot: readonly Criterion['field'][] = ['customTag', 'dupe', 'archive', 'deleted', 'indexingDate']

function refuseUnknown({ criteria, also }: FoundEntries): void {
  const reports = also.some(({ field }) => field === 'customTag') ? ['Report'] : []
  const unknown = [...new Set([...reports, ...unknownIn(criteria)])]
  if (unknown.length > 0)
    invalid('search', `has conditions that can't be tried on the past. Remove them to try it: ${unknown.join(', ')}`)
}

const unknownIn = ({ searchQueries, searchQueryNodes }: SearchQueryNode): string[] => [
  ...searchQueries.flatMap((criterion) => {
    const { field, type, operators, excludes } = criterion
    if (isMediaRelation(field)) return [mediaRelations[field].title]
    if (isMetadataField(field) || (field === 'deleted' && type === 'boolean' && operators.value === excludes)) return []
    if (ofSnapshot.includes(field)) return [wordOf(field)]
    const days = type === 'date' ? [operators.after, operators.before] : []
    return days.some((day) => day !== undefined && isRelativeDay(day))
      ? [`${wordOf(field)} relative to the snapshot`]
      : []
  }),
  ...searchQueryNodes.flatMap(unknownIn),
]
