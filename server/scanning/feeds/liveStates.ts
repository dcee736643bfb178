import { sql } from 'kysely'
import { inactiveAfterMs } from '#events/agents.ts'
import { followEveryMs } from '#events/feeds/follow.ts'
import { type LiveState, liveOff } from '#events/feeds/liveState.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** Milliseconds after the last request of an agent until its storages no longer count as live: three requests may get lost. */
export const silentAfterMs = 4 * followEveryMs

/**
 * The scan that a live state of a volume is based on, as far as its agent can know what changed since: the newest committed one of the
 * whole storage, if it was by the same agent in the same folder.
 */
export const baseScan = sql<{ walkedFrom: Date }>`LATERAL (
  SELECT walked_from FROM (
    SELECT walked_from, walked_path, agent_id FROM scans
    WHERE volume_id = volumes.id AND id <= volumes.committed_scan AND state IN ('done', 'partial') AND scanned_path = ''
    ORDER BY id DESC LIMIT 1) AS newest
  WHERE walked_from IS NOT NULL AND walked_path = volumes.path AND agent_id = volumes.agent_id)`.as('base')

const isRecent = (column: string, milliseconds: number) =>
  sql<boolean>`coalesce(${sql.ref(column)} > now() - ${milliseconds} * interval '1 millisecond', false)`

/** States of the storages of these IDs that are followed; others are off. */
export async function readLiveStates(db: Db, ids: readonly number[]): Promise<(volumeId: number) => LiveState> {
  const rows = await db
    .selectFrom('volumes')
    .innerJoin('agents', 'agents.id', 'volumes.agentId')
    .leftJoin(baseScan, (join) => join.onTrue())
    .leftJoin('liveVolumes as live', 'live.volumeId', 'volumes.id')
    .select(['volumes.id', 'walkedFrom', 'session', 'state', 'reason', 'since', 'behindMs', 'missed'])
    .select([isRecent('agents.lastActiveAt', inactiveAfterMs).as('isConnected')])
    .select([isRecent('seenAt', silentAfterMs).as('isSeen'), sql<boolean>`seen_at IS NULL`.as('isNew')])
    .select(sql<boolean>`coalesce(live.base_scan = volumes.committed_scan, false)`.as('isCurrent'))
    .where('volumes.id', 'in', [0, ...ids])
    .where('followsChanges', '=', true)
    .where('volumes.deletedAt', 'is', null)
    .execute()
  const states = new Map(rows.map((row) => [row.id, stateOf(row)]))
  return (volumeId) => states.get(volumeId) ?? liveOff
}

type Row = {
  walkedFrom: Date | null
  state: 'LIVE' | 'UNAVAILABLE' | null
  reason: string | null
  since: Date | null
  behindMs: number | null
  missed: LiveState['missed']
  isConnected: boolean
  isSeen: boolean
  isNew: boolean
  isCurrent: boolean
}

function stateOf(row: Row): LiveState {
  const reason = whyNotLive(row)
  const { since, behindMs, missed } = row
  return reason === null
    ? { state: 'LIVE', reason, since: since?.toISOString() ?? null, behindMs, missed }
    : { state: 'UNAVAILABLE', reason, since: null, behindMs: null, missed }
}

function whyNotLive({ walkedFrom, state, reason, isConnected, isSeen, isNew, isCurrent }: Row): string | null {
  if (walkedFrom === null) return 'Scan the storage to follow its changes.'
  if (!isConnected || !(isSeen || isNew)) return "The agent of this storage doesn't answer."
  if (!isCurrent || isNew) return 'The agent is starting to follow this storage.'
  return state === 'LIVE' ? null : (reason ?? "The agent can't follow this storage.")
}

/** The state of a storage that a caller sees in part: agents may name other folders, and what a feed missed is counted in all of them. */
export const livePart = ({ reason, ...live }: LiveState): LiveState => ({
  ...live,
  reason: reason && "Changes of this storage can't be followed at the moment.",
  missed: null,
})
