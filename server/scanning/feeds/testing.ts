import { zstdCompressSync } from 'node:zlib'
import { createInbox, headers } from 'nats'
import { type FlushAnswer, flushHeaders, flushWithinMs } from '#events/feeds/flushes.ts'
import type { FollowAnswer, FollowOrder, FollowStatus } from '#events/feeds/follow.ts'
import { builtInAgent } from '#events/agents.ts'
import { subjects } from '#events/subjects.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Folder, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'

/** The run that holds the key of the built-in agent, see `followedStorage`. */
export const run = 'a run'

/** When the agent began the scans of `followedStorage`, by its clock. */
export const walkedFrom = '2026-01-01T10:00:00.000Z'

/** Adds a storage that is followed, with a scan of the agent that holds its key. */
export async function followedStorage(platform: Platform, name: string, folders: Folder[]): Promise<number> {
  const { db } = platform
  await db.updateTable('agents').set({ run }).where('id', '=', builtInAgent).execute()
  const volumeId = await createFileStorage(db, { name, path: `/${name}`, followsChanges: true })
  await scanAgain(platform, volumeId, folders)
  return volumeId
}

/** Scans a storage again, as its agent does. */
export async function scanAgain(platform: Platform, volumeId: number, folders: Folder[], scannedPath = '') {
  const scanId = await scanFolders(platform, { volumeId, indexingDate: '2026-01-01', scannedPath }, folders)
  const { path } = await platform.db
    .selectFrom('volumes')
    .select('path')
    .where('id', '=', volumeId)
    .executeTakeFirstOrThrow()
  await platform.db.updateTable('scans').set({ walkedFrom, walkedPath: path }).where('id', '=', scanId).execute()
  return scanId
}

type SentBlock = { volume?: number; session: string; number?: number; part?: number; last?: boolean }

/** Requests of an agent over NATS. */
export function agentOf({ db, nats }: Pick<Platform, 'db' | 'nats'>, agentId = builtInAgent) {
  const options = () => ({ timeout: flushWithinMs, noMux: true, reply: createInbox(`_INBOX_agent-${agentId}`) })
  return {
    async follow(statuses: FollowStatus[] = [], asRun = run): Promise<FollowOrder[]> {
      await db.updateTable('agents').set({ lastActiveAt: new Date() }).where('id', '=', agentId).execute()
      const request = JSON.stringify({ run: asRun, statuses })
      const reply = await nats.connection.request(subjects.follow(agentId), request, options())
      return reply.json<FollowAnswer>().follow
    },
    /** Sends a block of a flush, unpacked. */
    async flush(
      { volume = 1, session, number = 1, part = 1, last = true }: SentBlock,
      block: Uint8Array,
      pack = zstdCompressSync,
    ) {
      const about = headers()
      const values = { volume, session, number, part, last }
      for (const [name, value] of Object.entries(values))
        about.set(flushHeaders[name as keyof SentBlock], String(value))
      const packed = pack(block)
      const reply = await nats.connection.request(subjects.flush(agentId), packed, { ...options(), headers: about })
      return reply.json<FlushAnswer>()
    },
  }
}

export const live = (volumeId: number, facts: Partial<FollowStatus> = {}): FollowStatus => ({
  volumeId,
  state: 'LIVE',
  reason: null,
  since: walkedFrom,
  behindMs: 0,
  ...facts,
})
