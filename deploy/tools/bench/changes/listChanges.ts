import { sql as postgres } from 'kysely'
import { now } from '#events/contract/endpoint.ts'
import { checkBlock } from '#events/node/blocks/checkBlock.ts'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import type { Stores } from '#server/platform/platform.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { staging } from '#server/workers/ingest/index.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { type Snapshot, snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'

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
  const files = await grown(
    stores,
    snapshot,
    sql`NOT is_directory ORDER BY sipHash64(file_id, ${scanId}) LIMIT ${changes}`,
  )
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

/** An agent's listing of the folder of some file: its own entry, and its contents, whose files grew. */
export async function listFolder(stores: Stores): Promise<{ volumeId: number; blocks: Buffer[] }> {
  const snapshot = await snapshotOrEmpty(stores.db, 'everything', now)
  const [file] = await grown(stores, snapshot, sql`NOT is_directory ORDER BY file_id LIMIT 1`)
  const [volume] = snapshot.volumes
  if (!file || !volume) throw new Error('The storage has no files')
  const [, parentPath = '/', name = ''] = /^(.*\/)([^/]*)\/$/.exec(file.parentPath) ?? []
  const contents = await grown(stores, snapshot, sql`parent_path = ${file.parentPath}`)
  const itself = await grown(stores, snapshot, sql`parent_path = ${parentPath} AND name = ${name}`)
  const block = blockOf((block) => {
    for (const row of [...itself, ...contents]) block.add(row)
    block.addListed({ parentPath, name }, contents.length)
  })
  return { volumeId: volume.volumeId, blocks: [block] }
}

/** Entries of a snapshot as an agent sends them, each of which is a byte larger and a second younger. */
const grown = ({ clickhouse }: Stores, snapshot: Snapshot, where: Sql) =>
  clickhouse.rows<EntryRow>(sql`
    SELECT parent_path AS parentPath, name, is_directory AS isDirectory, size + 1 AS size, allocated_size AS allocatedSize,
      link_count AS linkCount, device, inode, owner, \`group\`, mode, link_target AS linkTarget, toUnixTimestamp(created) AS created,
      toUnixTimestamp(modified) + 1 AS modified, toUnixTimestamp(accessed) AS accessed
    FROM ${entriesAt(snapshot)} WHERE ${where}`)
