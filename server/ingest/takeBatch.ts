import type { JsMsg } from 'nats'
import { entryColumns } from '#events/scans/entryRow.ts'
import { batchMessageId } from '#events/scans/batches.ts'
import { readScanSubject } from '#events/subjects.ts'
import { counter } from '#server/platform/http/metrics.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { OpenScan, openScans } from './openScans.ts'
import { readBatch, readBatchId } from './readBatch.ts'
import { scanTableName } from './scanTables.ts'

type Scans = ReturnType<typeof openScans>
type Taken = { scanId: number } | { refused: string; agentId: number }

const batches = counter('ingested_batches_total', 'Batches of scans that were inserted')
const bytes = counter('ingested_bytes_total', 'Bytes of their unpacked rows')

const columns = entryColumns.map(([column]) => column)

/** Inserts the rows of a message, or says why they are refused. Throws when a store cannot take them right now. */
export async function takeBatch({ clickhouse }: Platform, message: JsMsg, scans: Scans): Promise<Taken> {
  const { agentId = 0, scanId = 0 } = readScanSubject(message.subject) ?? {}
  const id = readBatchId(message.headers)
  if (!id || id.scanId !== scanId) return { agentId, refused: 'a batch without the id of its scan' }
  const closed = await refusalNow(scans, scanId, agentId, id.attempt)
  if (closed) return { agentId, refused: closed }
  const tsv = await readBatch(message.data, id)
  if (typeof tsv === 'string') return { agentId, refused: tsv }
  try {
    await clickhouse.insert(
      scanTableName('staging', scanId),
      columns,
      tsv,
      batchMessageId(scanId, id.attempt, id.batch),
    )
    batches.inc()
    bytes.inc(tsv.length)
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

const faultsOfRows = [
  'CANNOT_PARSE_',
  'CANNOT_CONVERT_',
  'CANNOT_READ_ALL_DATA',
  'CANNOT_READ_MAP',
  'INCORRECT_DATA',
  'UNEXPECTED_DATA_AFTER',
  'ARGUMENT_OUT_OF_BOUND',
  'TOO_LARGE_',
  'VIOLATED_CONSTRAINT',
]

/** Whether the engine says that it cannot read the rows, or that they break a rule of the table. */
function isFaultOfRows(error: unknown): boolean {
  const { type } = error as { type?: unknown }
  return typeof type === 'string' && faultsOfRows.some((fault) => type.startsWith(fault))
}
