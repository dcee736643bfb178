import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type FollowAnswer, type FollowOrder, FollowRequest, type FollowStatus } from '#events/feeds/follow.ts'
import { requireOutside } from '#events/contract/readOutside.ts'
import { subjects } from '#events/subjects.ts'
import { sql } from 'kysely'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { answerAgents } from '#server/workers/tasks/index.ts'
import { startSession } from '#server/content/snapshots/index.ts'
import { walkOf } from '#server/scanning/scans/index.ts'
import { sourceOrderOf } from '#server/scanning/sources/index.ts'
import { baseScan, silentAfterMs } from './liveStates.ts'

/** Answers agents which storages to follow, and stores how they do. `changed` is called when one became live, or no longer is. */
export function answerFollow(platform: Platform, changed: () => void): Running {
  const silences = new Map<number, NodeJS.Timeout>()
  const answering = answerAgents(platform, {
    [subjects.allFollow]: async (agentId, body) => {
      const { run, statuses } = requireOutside(FollowRequest, body)
      const volumes = await followedBy(platform.db, agentId, run)
      if (volumes.length === 0) return { follow: [] } satisfies FollowAnswer
      clearTimeout(silences.get(agentId))
      silences.set(agentId, setTimeout(changed, silentAfterMs).unref())
      return follow(platform, volumes, statuses, changed)
    },
  })
  return {
    async stop() {
      await answering.stop()
      for (const silence of silences.values()) clearTimeout(silence)
    },
  }
}

async function follow(
  platform: Platform,
  volumes: Volume[],
  statuses: FollowStatus[],
  changed: () => void,
): Promise<FollowAnswer> {
  const { withoutOwners } = await walkOf(platform.db, 'VOLUME_MULTITHREAD')
  const current = new Map<number, Volume>()
  const orders = volumes.map(async (volume): Promise<FollowOrder[]> => {
    const order = { ...(await settingsOf(platform, volume)), ...(withoutOwners && { withoutOwners }) }
    const settings = createHash('sha256').update(JSON.stringify(order)).digest('base64url')
    const isCurrent = volume.baseScan === volume.committedScan && volume.settings === settings
    if (isCurrent) current.set(volume.id, volume)
    const session = isCurrent ? volume.session : await begin(platform, volume, settings)
    return session === null ? [] : [{ ...order, session, baseStartedAt: volume.walkedFrom.toISOString() }]
  })
  const answer = { follow: (await Promise.all(orders)).flat() }
  // The agent's report on a session that has ended doesn't count for the next one.
  const said = statuses.filter(({ volumeId }) => current.has(volumeId))
  if (said.length > 0) await store(platform.db, said)
  if (said.some(({ volumeId, state }) => current.get(volumeId)?.state !== state)) changed()
  return answer
}

/** The storages that a run of an agent should follow; none if it doesn't hold the key of the agent. */
const followedBy = (db: Db, agentId: number, run: string) =>
  db
    .selectFrom('volumes')
    .innerJoin('agents', 'agents.id', 'volumes.agentId')
    .innerJoin(baseScan, (join) => join.onTrue())
    .leftJoin('liveVolumes as live', 'live.volumeId', 'volumes.id')
    .selectAll('volumes')
    .select(['base.walkedFrom', 'live.session', 'live.baseScan', 'live.settings', 'live.state'])
    .where('volumes.agentId', '=', agentId)
    .where('volumes.followsChanges', '=', true)
    .where('volumes.deletedAt', 'is', null)
    .where('agents.run', '=', run)
    .where('agents.deletedAt', 'is', null)
    .orderBy('volumes.id')
    .execute()
type Volume = Awaited<ReturnType<typeof followedBy>>[number]

async function settingsOf(platform: Platform, volume: Volume): Promise<Omit<FollowOrder, 'session' | 'baseStartedAt'>> {
  const { id: volumeId, ignoredPaths, indexFolderOnlyPaths, crossFileSystems } = volume
  const source = await sourceOrderOf(platform, volume, { isDelta: true })
  return { volumeId, source, ignoredPaths, indexFolderOnlyPaths, crossFileSystems }
}

/** Milliseconds to wait for a session, since another one only begins after a running commit. */
const sessionTimeoutMs = 3_000

/** Sessions that begin, so that requests during a commit don't wait for several. */
const beginning = new Map<number, ReturnType<typeof startSession>>()

/** Begins a session. If that fails or takes long, the agent keeps the one before, which it would forget otherwise. */
async function begin(platform: Platform, { id, session: before }: Volume, settings: string): Promise<string | null> {
  try {
    const begun = beginning.get(id) ?? startSession(platform, id).finally(() => beginning.delete(id))
    beginning.set(id, begun)
    const started = await Promise.race([begun, wait(sessionTimeoutMs, 'late' as const, { ref: false })])
    if (started === 'late') return before
    if (!started) return null
    const { session } = started
    await platform.db.updateTable('liveVolumes').set({ settings }).where('session', '=', session).execute()
    return session
  } catch (error) {
    platform.log.warn({ error, volumeId: id }, 'could not begin a live session, will retry')
    return before
  }
}

const store = (db: Db, statuses: FollowStatus[]) =>
  sql`
    UPDATE live_volumes AS live
    SET state = said.state, reason = said.reason, since = said.since, behind_ms = said."behindMs", seen_at = now()
    FROM jsonb_to_recordset(${JSON.stringify(statuses)}::jsonb)
      AS said("volumeId" integer, state text, reason text, since timestamptz, "behindMs" double precision)
    WHERE live.volume_id = said."volumeId"`.execute(db)
