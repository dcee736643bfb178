import type { PlannedPart } from '#events/actions/plans.ts'
import { targetFault } from '#events/actions/targets.ts'
import { groupOfType, type StorageGroup } from '#events/sources/kinds.ts'
import { ownerTags } from '#events/policies/policies.ts'
import { isPrefix } from '#events/sources/pathMapping.ts'
import type { Config } from '#server/platform/config.ts'
import { join, type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { invalid } from '#server/platform/problem.ts'
import type { SelectionPlan } from '#server/questions/selections/index.ts'
import { hasTagWhere } from '#server/content/entries/conditions.ts'
import { isUntouched, scansBefore } from '#server/content/entries/lastUse.ts'
import type { ShownVolume, Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'

/** The part of each file, its place and the reason why it is left out; and for each part its agent and system. */
export type ActionPlanning = { plan: SelectionPlan; parts: Omit<PlannedPart, 'files' | 'bytes'>[] }

export const volumesOf = ({ volumes }: Snapshot, group: StorageGroup): ShownVolume[] =>
  volumes.filter(({ type }) => groupOfType(type) === group)

/** Condition: an entry is of one of these volumes. */
export const areIn = (volumes: readonly { volumeId: number }[]): Sql =>
  sql`volume IN ${typed(
    volumes.map(({ volumeId }) => volumeId),
    'Array(UInt32)',
  )}`

/** Files for which the condition is true are left out with the reason. */
export type Rule = [condition: Sql, reason: string]

/** Leaves out files that are gone, and keys of buckets that would lead out of their folder as a path. */
export const noFile: Rule[] = [
  [sql`size < 0`, 'No longer there'],
  [sql`match(path, ${String.raw`/\.\.?(/|$)`})`, 'Path has . or .. in it'],
]

/** Leaves out files that another system can't be given as text. */
export const unsendable: Rule[] = [
  ...noFile,
  // The characters of `hasStray`.
  [sql`match(path, ${String.raw`[\x{ef80}-\x{efff}]`})`, 'Name is not valid UTF-8'],
]

/** Expression: the reason of the first rule that applies to an entry, or ''. */
export const leftOutBy = (...rules: Rule[]): Sql =>
  sql`multiIf(${join(
    rules.map(([condition, reason]) => sql`${condition}, ${reason}`),
    ', ',
  )}, '')`

/** Volumes that have a row in a list, such as of mappings. */
export const volumesWith = ({ volumes }: Snapshot, rows: readonly { volumeId: number }[]): ShownVolume[] =>
  volumes.filter(({ volumeId }) => rows.some((row) => row.volumeId === volumeId))

/** Condition: a file has no place in a system that only knows these volumes. */
export const unmapped = (volumes: readonly ShownVolume[], place: Sql): Sql =>
  sql`NOT ${areIn(volumes)} OR ${place} = ''`

/** Plans a part for the files of each volume, at the agent of the volume. */
export async function planPerVolume(
  db: Db,
  volumes: readonly { volumeId: number }[],
  place: Sql,
  ...rules: Rule[]
): Promise<ActionPlanning> {
  const ids = volumes.map(({ volumeId }) => volumeId)
  const agents = await db
    .selectFrom('volumes')
    .select(['id', 'agentId'])
    .where('id', 'in', [0, ...ids])
    .execute()
  const agentOf = new Map(agents.map(({ id, agentId }) => [id, agentId]))
  const part = sql`indexOf(${typed(ids, 'Array(UInt32)')}, volume)`
  return {
    plan: { place, part, leftOut: leftOutBy(...rules) },
    parts: ids.map((volumeId, index) => ({ part: index + 1, system: volumeId, serverId: agentOf.get(volumeId) ?? 0 })),
  }
}

/**
 * Local file storages, and the rules that leave out the files of others. Agents mount network shares for scans only, and read PowerScale clusters
 * by their API, so files there have no path to read.
 */
export function localVolumes(snapshot: Snapshot, notOnFileStorage: string): { local: ShownVolume[]; rules: Rule[] } {
  const onFileStorages = volumesOf(snapshot, 'file')
  const local = onFileStorages.filter(({ type }) => type === 'crawl.files')
  return {
    local,
    rules: [
      [sql`NOT ${areIn(onFileStorages)}`, notOnFileStorage],
      [sql`NOT ${areIn(local)}`, 'Not on a local file storage'],
    ],
  }
}

/** In a demo, leaves out files that no disk has: only archives and the disks in its data folder are real. */
export function leaveOutMadeUp(
  { leftOut = sql`''`, ...plan }: SelectionPlan,
  { volumes }: Snapshot,
  { isDemo, data }: Pick<Config, 'isDemo' | 'data'>,
): SelectionPlan {
  if (!isDemo) return { ...plan, leftOut }
  const real = volumes.filter(({ type, root }) => groupOfType(type) === 'archive' || isPrefix(data, root))
  return { ...plan, leftOut: sql`if(${areIn(real)}, ${leftOut}, ${madeUp})` }
}

export const isKept = 'Kept by its owner'

/** Condition: the owner of a file keeps it. */
export const keptByOwner = (snapshot: Snapshot): Sql => hasTagWhere(sql`tag = ${ownerTags.keep}`, snapshot)

/** Selects only files without use for these days, and leaves out files that their owner keeps. */
export async function leaveOutKept(
  db: Db,
  { leftOut = sql`''`, ...plan }: SelectionPlan,
  snapshot: Snapshot,
  asked: { untouchedDays?: number; leaveOutKept?: boolean },
): Promise<SelectionPlan> {
  const { untouchedDays: days } = asked
  const only = days === undefined ? {} : { only: isUntouched(snapshot, days, await scansBefore(db, snapshot, days)) }
  return {
    ...plan,
    ...only,
    leftOut: asked.leaveOutKept ? sql`if(${keptByOwner(snapshot)}, ${isKept}, ${leftOut})` : leftOut,
  }
}

/** Leaves out hard links of files that have other links, which are not in the selection or are left out. */
export const leaveOutSplitLinks = ({ leftOut = sql`''`, ...plan }: SelectionPlan): SelectionPlan => ({
  ...plan,
  leftOut: sql`if((${leftOut} AS reason) = '' AND link_count > 1 AND countIf(reason = '') OVER (PARTITION BY volume, device, inode) < link_count,
    'Has hard links outside of the selection', reason)`,
})

/** Expression: bytes that come free with rows of `selected_entries`. Hard links of a file, which go together, share them. */
export const freedBytes = sql`round(sum(toFloat64(greatest(size, 0)) / greatest(links, 1)))`

const madeUp = 'Made up for this demo. Select files of Edit bay, which are real.'

/** Throws 400 for a path that an action can't write to: the same for the targets of all restores and transfers. */
export function checkTarget(field: string, path: string, options?: Parameters<typeof targetFault>[1]): void {
  const fault = targetFault(path, options)
  if (fault !== undefined) invalid(field, fault)
}
