import { streamNames } from '#events/streams.ts'
import type { TagChange } from '#events/tags.ts'
import { folderOf, nameOf, type Place, placeKey, rowsAt } from '#server/content/entries/places.ts'
import { tagsAt } from '#server/content/entries/tagsAt.ts'
import { type LimitedScope, type Scope, showsFolder } from '#server/platform/callers/scope.ts'
import { record } from '#server/platform/log/audit.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { endOfDays, nextTagVersion, withTagsLocked } from '#server/content/snapshots/index.ts'
import { deletedAt } from '#server/content/snapshots/reading/deletedAt.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { withinScope } from '#server/content/snapshots/reading/withinScope.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { checkWritable, kindOf } from './writableSnapshot.ts'
import { escape } from '#server/platform/clickhouse/checkRows.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound, Problem } from '#server/platform/problem.ts'
import { sql, type Sql } from '#server/platform/clickhouse/sql.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse' | 'live'>
type TagChangeRequest = {
  indexingDate?: string | undefined
  /** The change, given an entry's current tags. */
  decide: (tags: string[]) => TagChange
  by: Actor
  /** Tags of entries outside of this scope, and of the folders above it, can't be changed. */
  scope: Scope
  /** Neither can those of entries outside of this one, which is that of a manager. */
  managed?: LimitedScope | undefined
}
type PlannedTags = { entry: Place; periods: Period[]; before: string[] }

/**
 * Changes tags of entries in the newest snapshot and returns the number of changed entries: all of them or, if one
 * doesn't exist, none. Concurrent changes wait for each other, and for tags still following moves.
 */
export async function changeTagsOf(platform: Stores, entries: Place[], request: TagChangeRequest): Promise<number> {
  const { clickhouse, live } = platform
  const distinct = [...new Map(entries.map((entry) => [placeKey(entry), entry])).values()]
  const kind = distinct.every(({ isDirectory }) => isDirectory) ? 'folder' : 'file'
  const volumeIds = distinct.map(({ volumeId }) => volumeId)
  const changed = await withTagsLocked(platform, request.scope, volumeIds, async (trx, snapshot) => {
    checkWritable(snapshot, request.indexingDate, kind)
    await checkThere({ db: trx, clickhouse }, snapshot, distinct)
    checkManaged(request.managed, distinct)
    const known = await readPeriods(clickhouse, distinct, snapshot)
    const planned = distinct.map((entry) =>
      plan(entry, known.get(placeKey(entry)) ?? [], request, snapshot.indexingDate),
    )
    return write(
      trx,
      platform,
      planned.filter(({ periods }) => periods.length > 0),
      request,
      snapshot.indexingDate,
    )
  })
  if (changed > 0) live({ type: 'changed', topics: ['tags'] })
  return changed
}

function plan(entry: Place, known: Period[], { decide }: TagChangeRequest, day: string): PlannedTags {
  const before = tagsOn(known, day)
  return { entry, before, periods: planTags(known, decide(before), day) }
}

const columns = ['tag', 'volume', 'parent_path', 'name', 'is_directory', 'from_date', 'to_date', 'version']

async function write(
  trx: Trx,
  { clickhouse }: Stores,
  planned: PlannedTags[],
  { by }: TagChangeRequest,
  day: string,
): Promise<number> {
  if (planned.length === 0) return 0
  const version = await nextTagVersion(trx)
  const lines = planned.flatMap(({ entry, periods }) => periods.map((period) => lineOf(entry, period, version)))
  await clickhouse.insert('entry_tags', columns, Buffer.from(lines.join('')), `tags-${version}`)
  await record(trx, streamNames.tags(version), by, fact(planned, day))
  return planned.length
}

const lineOf = ({ volumeId, path, isDirectory }: Place, { tag, from, to }: Period, version: number): string =>
  `${[escape(tag), volumeId, escape(folderOf(path)), escape(nameOf(path)), isDirectory ? 1 : 0, from, to, version].join(
    '\t',
  )}\n`

/** Maximum entries of a change that the audit log lists individually. */
const maxNamed = 100

const fact = (planned: PlannedTags[], indexingDate: string) => ({
  type: 'TagsChanged',
  indexingDate,
  changed: planned.length,
  entries: planned.slice(0, maxNamed).map(({ entry: { volumeId, path, isDirectory }, before, periods }) => ({
    kind: kindOf({ isDirectory }),
    volumeId,
    path,
    before,
    added: periods.filter(({ to }) => to > indexingDate).map(({ tag }) => tag),
    removed: [...new Set(periods.filter(({ to }) => to <= indexingDate).map(({ tag }) => tag))],
  })),
})

/** Throws 404 unless a snapshot shows all of these entries, also as deleted ones. */
async function checkThere(
  { db, clickhouse }: { db: Db; clickhouse: ClickHouse },
  snapshot: Snapshot,
  entries: Place[],
): Promise<void> {
  const volumes = snapshot.volumes.filter(({ volumeId }) => entries.some((entry) => entry.volumeId === volumeId))
  const selection = { ...snapshot, volumes }
  const where = withinScope(selection) ?? sql`1`
  const missing = await missingIn(clickhouse, { from: entriesAt(selection), where }, entries)
  if (missing.length === 0) return
  const [unknown] = await missingIn(clickhouse, { from: await deletedAt(db, selection), where }, missing)
  if (unknown) notFound(kindOf(unknown), unknown.path)
}

/** Throws 403 for an entry that isn't in a project of the manager. */
function checkManaged(managed: LimitedScope | undefined, entries: Place[]): void {
  const other = managed && entries.find((entry) => !showsFolder(managed, entry))
  if (other)
    throw new Problem(403, `You can only tag in projects that you manage, not ${other.path}`, { code: 'permission' })
}

async function missingIn(clickhouse: ClickHouse, rows: { from: Sql; where: Sql }, entries: Place[]): Promise<Place[]> {
  const found = await rowsAt(clickhouse, entries, { columns: sql`1 AS here`, ...rows })
  const keys = new Set(found.map(placeKey))
  return entries.filter((entry) => !keys.has(placeKey(entry)))
}

/** The user-visible tags of entries on a day or later, by the keys of the entries' places. */
async function readPeriods(
  clickhouse: ClickHouse,
  entries: Place[],
  snapshot: Snapshot,
): Promise<Map<string, Period[]>> {
  const tags = await tagsAt(clickhouse, entries, snapshot)
  return Map.groupBy(
    tags.filter(({ to }) => to > snapshot.indexingDate),
    placeKey,
  )
}

/** A tag of an entry from one day (inclusive) to another (exclusive). */
export type Period = { tag: string; from: string; to: string }

/** The tags in effect on a day. */
export const tagsOn = (periods: Period[], day: string): string[] => [
  ...new Set(periods.filter(({ from, to }) => from <= day && to > day).map(({ tag }) => tag)),
]

/**
 * The periods written by a change on a day, from the existing periods that end after it. A written period replaces one
 * with the same tag and first day. Earlier days stay unchanged; a tag added and removed on the same day leaves an empty
 * period.
 */
export function planTags(periods: Period[], { add, remove }: TagChange, day: string): Period[] {
  const ongoing = ({ from, to }: Period) => from <= day && to === endOfDays
  const isThere = (tag: string) => periods.some((period) => period.tag === tag && ongoing(period))
  const ended = periods.filter(({ tag, from, to }) => remove.includes(tag) && to > day && to > from)
  return [
    ...add.filter((tag) => !isThere(tag)).map((tag) => ({ tag, from: day, to: endOfDays })),
    ...ended.map(({ tag, from }) => ({ tag, from, to: from > day ? from : day })),
  ]
}
