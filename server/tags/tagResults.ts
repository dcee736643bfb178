import type { TagPayload } from '#events/jobs/payloads.ts'
import type { TagResult } from '#events/jobs/taskResults.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { selectBySearch } from '#server/search/index.ts'
import { settledSnapshot, withVersionsKept } from '#server/snapshots/index.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import type { ServerTaskHandler } from '#server/tasks/index.ts'
import { dropStaging, newStaging } from './staging.ts'
import { tagVolume } from './tagVolume.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse'>

/** Maximum seconds; counting may read all entries. */
const maxSeconds = 600

/**
 * Tags results of searches in the server. Tagging has no rows besides its job: after a pause it starts again, and skips
 * what is already tagged.
 */
export const tagTasks = (stores: Stores): ServerTaskHandler<'TAG_ENTRIES'> => ({
  consumer: 'tag-jobs',
  topics: ['tags'],
  async run(payload, progress) {
    const result = await tagResults(stores, payload, progress)
    return result.tagged === result.toTag ? result : undefined
  },
})

/**
 * Tags all results of a search, storage by storage; `reached` receives the progress and returns whether to continue. A
 * storage is tried at most `maxTries` times.
 */
export async function tagResults(
  stores: Stores,
  payload: TagPayload,
  reached: (result: TagResult) => Promise<boolean>,
  maxTries?: number,
): Promise<TagResult> {
  const staging = await newStaging(stores)
  const kind = payload.isDirectory ? 'folders' : 'files'
  const select = (snapshot: Snapshot) => selectBySearch(stores, snapshot, payload, kind)
  const found = await countResults(stores, payload)
  const toTag = found.reduce((sum, { count }) => sum + count, 0)
  let tagged = 0
  for (const { volumeId, count } of found) {
    if (!(await reached({ tagged, toTag }))) break
    await tagVolume(stores, { ...payload, select }, volumeId, staging, maxTries)
    tagged += count
  }
  await dropStaging(stores, staging)
  return { tagged, toTag }
}

const countResults = (stores: Stores, payload: TagPayload) =>
  withVersionsKept(stores.db, async () => {
    const snapshot = await settledSnapshot(stores)
    const { from, where } = await selectBySearch(stores, snapshot, payload, payload.isDirectory ? 'folders' : 'files')
    return stores.clickhouse.rows<{ volumeId: number; count: number }>(
      sql`SELECT volume AS volumeId, count() AS count FROM ${from} WHERE ${where} GROUP BY volume ORDER BY volume`,
      { heavy: true, seconds: maxSeconds },
    )
  })
