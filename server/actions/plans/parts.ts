import type { PlannedPart } from '#events/actions/plans.ts'
import { groupOfType, type StorageGroup } from '#events/sources/kinds.ts'
import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { SelectionPlan } from '#server/selections/index.ts'
import type { ShownVolume, Snapshot } from '#server/snapshots/reading/snapshotAt.ts'

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

/** A part for the files of each volume, at the agent of the volume. */
export async function partPerVolume(
  db: Db,
  volumes: readonly ShownVolume[],
): Promise<{ part: Sql; parts: ActionPlanning['parts'] }> {
  const ids = volumes.map(({ volumeId }) => volumeId)
  const agents = await db
    .selectFrom('volumes')
    .select(['id', 'agentId'])
    .where('id', 'in', [0, ...ids])
    .execute()
  const agentOf = new Map(agents.map(({ id, agentId }) => [id, agentId]))
  return {
    part: sql`indexOf(${typed(ids, 'Array(UInt32)')}, volume)`,
    parts: ids.map((volumeId, index) => ({ part: index + 1, system: volumeId, serverId: agentOf.get(volumeId) ?? 0 })),
  }
}
