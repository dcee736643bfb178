import type { BatchId } from '#events/scans/entryRow.ts'
import { entryColumns } from '#events/scans/entryRow.ts'
import { batchMessageId } from '#events/scans/batches.ts'
import { scanTableName, staging } from '#server/ingest/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Random } from './random.ts'
import { lineOf, type Seen } from './walkDisk.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse'>
export type PlannedScan = { volumeId: number; indexingDate: string; scannedPath?: string; cloneIndex?: boolean }

export async function newVolume({ db }: Pick<Stores, 'db'>, name: string): Promise<number> {
  const { id } = await db
    .insertInto('volumes')
    .values({ name, path: `/${name}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A scan whose agent has said all: its rows are to be staged and committed. */
export async function newScan({ db }: Pick<Stores, 'db'>, planned: PlannedScan): Promise<number> {
  const { id } = await db
    .insertInto('scans')
    .values({ ...planned, jobId: 1, taskId: nextTask++, agentId: 1, state: 'committing', attempt: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
let nextTask = 1

/** The batches in which an agent would send what it saw, not in order. */
export function batchesOf(random: Random, attempt: number, seen: Seen[]): { id: BatchId; tsv: Buffer }[] {
  const batches: { id: BatchId; tsv: Buffer }[] = []
  for (let at = 0; at < seen.length;) {
    const id = { attempt, batch: batches.length + 1 }
    const part = seen.slice(at, (at += 1 + random.below(40)))
    batches.push({ id, tsv: Buffer.from(part.map((each) => lineOf(id, each)).join('')) })
  }
  return batches.sort(() => random.next() - 0.5)
}

/** Stages what an agent saw, and makes sure that nothing is missing. */
export async function stage(
  { clickhouse }: Pick<Stores, 'clickhouse'>,
  random: Random,
  scanId: number,
  seen: Seen[],
  scannedPath = '',
): Promise<void> {
  await staging.create(clickhouse, scanId)
  await staging.startAttempt(clickhouse, scanId, 1, scannedPath)
  const batches = batchesOf(random, 1, seen)
  for (const batch of batches) await insertBatch({ clickhouse }, scanId, batch)
  const announced = { attempt: 1, batches: batches.length, progress: { entries: 0 } }
  const missing = await staging.missing(clickhouse, scanId, announced, scannedPath)
  if (missing) throw new Error(`The scan of a whole disk lacks ${missing}`)
}

const columns = entryColumns.map(([column]) => column)
export const insertBatch = (
  { clickhouse }: Pick<Stores, 'clickhouse'>,
  scanId: number,
  { id, tsv }: { id: BatchId; tsv: Buffer },
): Promise<void> =>
  clickhouse.insert(scanTableName('staging', scanId), columns, tsv, batchMessageId(scanId, id.attempt, id.batch))
