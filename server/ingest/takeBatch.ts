import type { JsMsg } from 'nats'
import { readScanSubject } from '#events/subjects.ts'
import { counter } from '#server/platform/http/metrics.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { OpenScan, openScans } from './openScans.ts'
import { readBatch, readBatchId } from './readBatch.ts'
import { insertBatch } from './stagingTable.ts'

type Scans = ReturnType<typeof openScans>
type Taken = { scanId: number } | { refused: string; agentId: number }

const batches = counter('ingested_batches_total', 'Batches of scans that were inserted')
const bytes = counter('ingested_bytes_total', 'Bytes of their unpacked rows')

/** Inserts the rows of a message, or says why they are refused. Throws when a store cannot take them right now. */
export async function takeBatch({ clickhouse }: Platform, message: JsMsg, scans: Scans): Promise<Taken> {
  const { agentId = 0, scanId = 0 } = readScanSubject(message.subject) ?? {}
  const id = readBatchId(message.headers)
  if (!id || id.scanId !== scanId) return { agentId, refused: 'a batch without the id of its scan' }
  const closed = await refusalNow(scans, scanId, agentId, id.attempt)
  if (closed) return { agentId, refused: closed }
  const block = await readBatch(message.data)
  if (typeof block === 'string') return { agentId, refused: block }
  try {
    await insertBatch(clickhouse, scanId, id, block)
    batches.inc()
    bytes.inc(block.bytes.length)
    return { scanId }
  } catch (error) {
    scans.forget(scanId)
    const refused = isFaultOfRows(error) ? 'a batch with rows that cannot be' : undefined
    const reason = refused ?? refusal(await scans.find(scanId), agentId, id.attempt)
    if (!reason) throw error
    return { agentId, refused: reason }
  }
}

/** A batch is not refused because of what was known of its scan a moment ago: it may be the first of a new attempt. */
async function refusalNow(scans: Scans, scanId: number, agentId: number, attempt: number): Promise<string | undefined> {
  if (!refusal(await scans.find(scanId), agentId, attempt)) return undefined
  scans.forget(scanId)
  return refusal(await scans.find(scanId), agentId, attempt)
}

function refusal(scan: OpenScan | undefined, agentId: number, attempt: number): string | undefined {
  if (!scan || scan.agentId !== agentId) return 'a batch of no scan of this agent'
  if (!scan.open) return 'a batch of a closed scan'
  return scan.attempt === attempt ? undefined : 'a batch of another attempt'
}

/** Whether the engine says that rows break a rule of the table: what else may be wrong with them is looked at before. */
const isFaultOfRows = (error: unknown): boolean => (error as { type?: unknown }).type === 'VIOLATED_CONSTRAINT'
