import { sql as postgres } from 'kysely'
import { checkBlock } from '#events/node/blocks/checkBlock.ts'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { staging } from '#server/workers/ingest/index.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'

/** Stages a list of changes of the filled storage, in which some files grew; other ones each time. Returns its scan, which is ready to be committed. */
export async function listChanges(stores: Stores, changes: number): Promise<number> {
  const { db, clickhouse } = stores
  const snapshot = await snapshotOrEmpty(db, 'everything')
  const [volume] = snapshot.volumes
  if (!volume) throw new Error('The storage has no snapshot')
  const { volumeId, committedScan } = volume
  const { id: scanId } = await db
    .insertInto('scans')
    .values({
      volumeId,
      jobId: 0,
      taskId: postgres`nextval('task_ids')`,
      agentId: 1,
      state: 'committing',
      attempt: 1,
      indexingDate: snapshot.indexingDate,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const files = await clickhouse.rows<EntryRow>(sql`
    SELECT parent_path AS parentPath, name, is_directory AS isDirectory, size + 1 AS size, allocated_size AS allocatedSize,
      link_count AS linkCount, device, inode, owner, \`group\`, mode, link_target AS linkTarget, toUnixTimestamp(created) AS created,
      toUnixTimestamp(modified) + 1 AS modified, toUnixTimestamp(accessed) AS accessed
    FROM ${entriesAt(snapshot)} WHERE NOT is_directory ORDER BY sipHash64(file_id, ${scanId}) LIMIT ${changes}`)
  await staging.create(clickhouse, scanId)
  await staging.startAttempt(clickhouse, scanId, 1, '', 'pages', committedScan)
  const block = blockOf((block) => {
    block.addDelta(committedScan)
    for (const file of files) block.add(file)
    block.addCheckpoint([])
  })
  const checked = checkBlock(block)
  if (typeof checked === 'string') throw new Error(checked)
  await staging.insertBatch(clickhouse, scanId, { attempt: 1, batch: 1 }, checked)
  return scanId
}
