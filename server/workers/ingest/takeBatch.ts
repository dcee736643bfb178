import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { JsMsg, MsgHdrs } from 'nats'
import { batchHeaders, batchLimits, readBatchMessageId } from '#events/scans/batches.ts'
import { type CheckedBlock, checkBlock } from '#events/node/blocks/checkBlock.ts'
import type { BatchId } from '#events/scans/entryRow.ts'
import { readScanSubject } from '#events/subjects.ts'
import { counter } from '#server/platform/http/metrics.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { OpenScan, openScans } from './openScans.ts'
import { insertBatch } from './stagingTable.ts'

type Scans = ReturnType<typeof openScans>
type BatchOutcome = { scanId: number } | { refused: string; agentId: number }

const batches = counter('ingested_batches_total', 'Batches of scans that were inserted')
const bytes = counter('ingested_bytes_total', 'Bytes of their unpacked rows')

/** Inserts the rows of a message, or returns why they are refused. Throws if a store can't accept them now. */
export async function takeBatch({ clickhouse }: Platform, message: JsMsg, scans: Scans): Promise<BatchOutcome> {
  const { agentId = 0, scanId = 0 } = readScanSubject(message.subject) ?? {}
  const id = readBatchId(message.headers)
  if (!id || id.scanId !== scanId) return { agentId, refused: 'a batch without the id of its scan' }
  const origin = { agentId, run: message.headers?.get(batchHeaders.run), attempt: id.attempt }
  const closed = await refusalNow(scans, scanId, origin)
  if (closed) return { agentId, refused: closed }
  const block = await readBatch(message.data)
  if (typeof block === 'string') return { agentId, refused: block }
  try {
    await insertBatch(clickhouse, scanId, id, block)
    batches.inc()
    bytes.inc(block.bytes.length)
    releaseBuffer(block.bytes)
    return { scanId }
  } catch (error) {
    scans.forget(scanId)
    const refused = isConstraintError(error) ? 'a batch with rows that cannot be' : undefined
    const reason = refused ?? refusal(await scans.find(scanId), origin)
    if (!reason) throw error
    return { agentId, refused: reason }
  }
}

/** Looks up a scan again before its batch is refused: the batch may be the first of a new attempt. */
async function refusalNow(scans: Scans, scanId: number, origin: Origin): Promise<string | undefined> {
  if (!refusal(await scans.find(scanId), origin)) return undefined
  scans.forget(scanId)
  return refusal(await scans.find(scanId), origin)
}

/** The sender of a batch. Only the agent and the server know its run, so no other process can pass as that agent. */
type Origin = { agentId: number; run: string | undefined; attempt: number }

function refusal(scan: OpenScan | undefined, { agentId, run, attempt }: Origin): string | undefined {
  if (!scan || scan.agentId !== agentId) return 'a batch of no scan of this agent'
  if (!scan.open) return 'a batch of a closed scan'
  if (scan.attempt !== attempt) return 'a batch of another attempt'
  return scan.agentRun === run ? undefined : 'a batch of another run of the agent'
}

/** Recognizes rows that violate a constraint of the table. Other errors in rows are checked earlier. */
export const isConstraintError = (error: unknown): boolean =>
  (error as { type?: unknown }).type === 'VIOLATED_CONSTRAINT'

/** Reads the id of a batch; undefined if the message id and the headers differ. */
function readBatchId(headers: MsgHdrs | undefined): ({ scanId: number } & BatchId) | undefined {
  const id = readBatchMessageId(headers?.get('Nats-Msg-Id') ?? '')
  if (!id || id.attempt < 1) return undefined
  const { attempt, batch } = batchHeaders
  const agree = headers?.get(attempt) === String(id.attempt) && headers.get(batch) === String(id.batch)
  return agree ? id : undefined
}

const unpack = promisify(zstdDecompress)

/**
 * Bytes of memory to unpack into at a time. A batch of typical size fits at once; otherwise its pieces would be
 * concatenated and held twice. Small batches get less, since the memory is cleared first.
 */
const chunkSize = ({ length }: Uint8Array): number => Math.min(Math.max(length * typicalRatio, 16_384), 8 * 1024 * 1024)
const typicalRatio = 40

/** Smaller buffers may be part of one that Node shares. */
const minOwnedBytes = 1024 * 1024

/** Frees the memory of a block at once: a garbage collection may take long, since little else is allocated here. */
function releaseBuffer({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= minOwnedBytes) buffer.transfer(0)
}

/** Unpacks and checks a batch; a text is the reason for refusing it. */
async function readBatch(packed: Uint8Array): Promise<CheckedBlock | string> {
  const block = await unpackBlock(packed)
  return block === undefined ? 'a batch that does not unpack' : checkBlock(block)
}

/** Unpacks a block; undefined if that is impossible, or gives more than a batch may have. */
export function unpackBlock(packed: Uint8Array): Promise<Buffer | undefined> {
  const options = { maxOutputLength: batchLimits.unpacked, chunkSize: chunkSize(packed) }
  return unpack(packed, options).catch(rethrowUnlessDecodeError)
}

/** Returns for zlib errors, which are errors of the data; rethrows others, such as a lack of memory. */
function rethrowUnlessDecodeError(error: NodeJS.ErrnoException): undefined {
  if (!/^(ZSTD_|Z_|ERR_BUFFER_TOO_LARGE)/.test(error.code ?? '')) throw error
}
