import { sql } from 'kysely'
import { subjects } from '#events/subjects.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { runOnChange } from '#server/platform/runOnChange.ts'
import { endSession } from '#server/content/snapshots/index.ts'
import { baseScan } from './liveStates.ts'

/**
 * After each commit and each change of a storage, ends the sessions of storages that are no longer followed, and has agents request what to
 * follow.
 */
export const watchFollowed = (platform: Platform): Running =>
  runOnChange(
    platform,
    { topics: ['volumes'], failed: 'could not update what agents follow, will retry' },
    async () => {
      const { db, nats } = platform
      const volumes = await db
        .selectFrom('volumes')
        .leftJoin(baseScan, (join) => join.onTrue())
        .leftJoin('liveVolumes', 'liveVolumes.volumeId', 'volumes.id')
        .select(['volumes.id', 'agentId', 'session'])
        .select(sql<boolean>`follows_changes AND deleted_at IS NULL AND walked_from IS NOT NULL`.as('isFollowed'))
        .where(({ or, eb }) => or([eb('followsChanges', '=', true), eb('session', 'is not', null)]))
        .execute()
      for (const { id, session, isFollowed } of volumes)
        if (session !== null && !isFollowed) await endSession(platform, id)
      for (const agentId of new Set(volumes.map((volume) => volume.agentId)))
        nats.connection.publish(subjects.refollow(agentId))
    },
  )
