import { sql as postgres } from 'kysely'
import { checkBlock } from '#events/node/blocks/checkBlock.ts'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import type { BatchId } from '#events/scans/entryRow.ts'
import type { SizeBasis } from '#events/contract/sizeBasis.ts'
import { staging } from '#server/workers/ingest/index.ts'
import type { Stores } from '#server/platform/platform.ts'
import { cases } from '#server/platform/testing/cases.ts'
import type { Random } from './random.ts'
import { addSeen, type SentEntry } from './walkDisk.ts'

export type PlannedScan = { volumeId: number; indexingDate: string; scannedPath?: string; cloneIndex?: boolean }

export async function newVolume(
  { db }: Pick<Stores, 'db'>,
  name: string,
  sizeBasis: SizeBasis = 'apparent',
): Promise<number> {
  const { id } = await db
    .insertInto('volumes')
    .values({ name, path: `/${name}`, sizeBasis })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A scan whose agent has finished: its rows are ready to be staged and committed. */
export async function newScan({ db }: Pick<Stores, 'db'>, planned: PlannedScan): Promise<number> {
  const { id } = await db
    .insertInto('scans')
    .values({
      ...planned,
      jobId: 1,
      taskId: postgres`nextval('task_ids')`,
      agentId: 1,
      state: 'committing',
      attempt: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type Batch = { id: BatchId; block: Buffer }

/**
 * An agent's batches, in random order. In quick tests several parts share a batch, because each batch takes a
 * statement; the random numbers are the same.
 */
export function batchesOf(random: Random, attempt: number, seen: SentEntry[]): Batch[] {
  const parts: SentEntry[][] = []
  for (let at = 0; at < seen.length;) parts.push(seen.slice(at, (at += 1 + random.below(40))))
  const order = [...parts.keys()].sort(() => random.next() - 0.5)
  const partsOfBatch = cases(5, 1)
  const numbers = new Set(order.map((part) => Math.floor(part / partsOfBatch)))
  return [...numbers].map((number) => {
    const rowsOfBatch = parts.slice(number * partsOfBatch, (number + 1) * partsOfBatch).flat()
    const block = blockOf((rows) => rowsOfBatch.forEach((each) => addSeen(rows, each)))
    return { id: { attempt, batch: number + 1 }, block }
  })
}

/** Stages an agent's records, and verifies that nothing is missing. */
export async function stage(
  { clickhouse }: Pick<Stores, 'clickhouse'>,
  random: Random,
  scanId: number,
  seen: SentEntry[],
  scannedPath = '',
  comparedWith?: number,
): Promise<void> {
  await staging.create(clickhouse, scanId, { comparedWith })
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
