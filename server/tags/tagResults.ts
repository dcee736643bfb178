import type { TagPayload, TaskResult } from '#events/job-payloads.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sql } from '#server/platform/sql.ts'
import { meantBySearch } from '#server/search/index.ts'
import { settledSnapshot, whileKept } from '#server/snapshots/index.ts'
import { dropStaging, newStaging } from './staging.ts'
import { tagVolume } from './tagVolume.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse'>

/** Counting may read all that there is. */
const mostSeconds = 600

/** Tags all results of a search, storage by storage; `reached` hears how far it came, and says whether to go on. */
export async function tagResults(
  stores: Stores,
  payload: TagPayload,
  reached: (result: TaskResult) => Promise<boolean>,
): Promise<TaskResult> {
  const staging = await newStaging(stores)
  const found = await countResults(stores, payload)
  const toTag = found.reduce((sum, { count }) => sum + count, 0)
  let tagged = 0
  for (const { volumeId, count } of found) {
    if (!(await reached({ tagged, toTag }))) break
    await tagVolume(stores, payload, volumeId, staging)
    tagged += count
  }
  await dropStaging(stores, staging)
  return { tagged, toTag }
}

const countResults = (stores: Stores, payload: TagPayload) =>
  whileKept(stores.db, async () => {
    const snapshot = await settledSnapshot(stores)
    const { from, where } = await meantBySearch(stores, snapshot, payload, payload.isDirectory ? 'folders' : 'files')
    return stores.clickhouse.rows<{ volumeId: number; count: number }>(
      sql`SELECT volume AS volumeId, count() AS count FROM ${from} WHERE ${where} GROUP BY volume ORDER BY volume`,
      { heavy: true, seconds: mostSeconds },
    )
  })
