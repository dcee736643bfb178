import { checkBlock } from '#events/scans/blocks/checkBlock.ts'
import { blockOf } from '#events/scans/blocks/testing/blockOf.ts'
import type { BatchId } from '#events/scans/entryRow.ts'
import { staging } from '#server/ingest/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Random } from './random.ts'
import { addSeen, type Sent } from './walkDisk.ts'

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

export type Batch = { id: BatchId; block: Buffer }

/** The batches in which an agent would send what it saw, not in order. */
export function batchesOf(random: Random, attempt: number, seen: Sent[]): Batch[] {
  const batches: Batch[] = []
  for (let at = 0; at < seen.length;) {
    const id = { attempt, batch: batches.length + 1 }
    const part = seen.slice(at, (at += 1 + random.below(40)))
    batches.push({ id, block: blockOf((rows) => part.forEach((each) => addSeen(rows, each))) })
  }
  return batches.sort(() => random.next() - 0.5)
}

/** Stages what an agent saw, and makes sure that nothing is missing. */
export async function stage(
  { clickhouse }: Pick<Stores, 'clickhouse'>,
  random: Random,
  scanId: number,
  seen: Sent[],
  scannedPath = '',
  comparedWith?: number,
): Promise<void> {
  await staging.create(clickhouse, scanId)
  await staging.startAttempt(clickhouse, scanId, 1, scannedPath, 'folders', comparedWith)
  const batches = batchesOf(random, 1, seen)
  for (const batch of batches) await insertBatch({ clickhouse }, scanId, batch)
  const announced = { attempt: 1, batches: batches.length, progress: { entries: 0 } }
  const missing = await staging.missing(clickhouse, scanId, announced, scannedPath)
  if (missing) throw new Error(`The scan of a whole disk lacks ${missing}`)
}

export async function insertBatch(
  { clickhouse }: Pick<Stores, 'clickhouse'>,
  scanId: number,
  { id, block }: Batch,
): Promise<void> {
  const checked = checkBlock(block)
  if (typeof checked === 'string') throw new Error(checked)
  await staging.insertBatch(clickhouse, scanId, id, checked)
}
